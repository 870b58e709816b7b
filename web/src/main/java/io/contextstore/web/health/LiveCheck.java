package io.contextstore.web.health;

import jakarta.enterprise.context.ApplicationScoped;
import org.eclipse.microprofile.health.HealthCheck;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.eclipse.microprofile.health.Liveness;

/** Up as long as it can be asked: a server that only cannot take requests must not be killed. */
@Liveness
@ApplicationScoped
public class LiveCheck implements HealthCheck {
  @Override
  public HealthCheckResponse call() {
    return HealthCheckResponse.up("context-store");
  }
}
