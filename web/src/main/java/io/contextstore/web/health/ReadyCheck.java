package io.contextstore.web.health;

import io.contextstore.api.ServerStatus;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import org.eclipse.microprofile.health.HealthCheck;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.eclipse.microprofile.health.Readiness;

/** Up while requests are taken; down with the reason otherwise. */
@Readiness
@ApplicationScoped
public class ReadyCheck implements HealthCheck {
  @Inject ServerStatus status;

  @Override
  public HealthCheckResponse call() {
    return status
        .notReadyReason()
        .map(why -> HealthCheckResponse.named("requests").down().withData("reason", why).build())
        .orElseGet(() -> HealthCheckResponse.up("requests"));
  }
}
