package io.contextstore.web.health;

import io.contextstore.api.ServerStatus;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import org.eclipse.microprofile.health.HealthCheck;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.eclipse.microprofile.health.Startup;

/** Up once the catalog has been read. */
@Startup
@ApplicationScoped
public class StartedCheck implements HealthCheck {
  @Inject ServerStatus status;

  @Override
  public HealthCheckResponse call() {
    return HealthCheckResponse.named("catalog").status(status.started()).build();
  }
}
