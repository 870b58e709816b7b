package io.contextstore.log;

import org.jspecify.annotations.Nullable;

/**
 * The log is whole but is not the one that was asked for: another store, schema or owner, a missing
 * segment, a newer format.
 */
public final class LogMismatchException extends LogException {
  private static final long serialVersionUID = 1L;

  LogMismatchException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }

  @Override
  public Effect effect() {
    return Effect.NOT_WRITTEN;
  }

  @Override
  public Retry retry() {
    return Retry.AFTER_REPAIR;
  }
}
