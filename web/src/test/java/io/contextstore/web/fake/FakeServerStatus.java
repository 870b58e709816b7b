package io.contextstore.web.fake;

import io.contextstore.api.ServerStatus;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.Optional;

/** Always ready. */
@ApplicationScoped
public class FakeServerStatus implements ServerStatus {
  @Override
  public boolean started() {
    return true;
  }

  @Override
  public Optional<String> notReadyReason() {
    return Optional.empty();
  }
}
