package io.contextstore.log;

import org.jspecify.annotations.Nullable;

/**
 * A call to storage did not return by its deadline. It may still take effect; the log refuses
 * everything until it is opened again.
 */
public final class LogDeadlineException extends LogException {
  private static final long serialVersionUID = 1L;

  LogDeadlineException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }

  @Override
  public Effect effect() {
    return Effect.UNKNOWN;
  }

  @Override
  public Retry retry() {
    return Retry.AFTER_REOPEN;
  }
}
