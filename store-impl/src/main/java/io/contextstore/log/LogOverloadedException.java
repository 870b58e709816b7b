package io.contextstore.log;

import org.jspecify.annotations.Nullable;

/** The queue is full or no thread is free to write. Refused at the door. */
public final class LogOverloadedException extends LogException {
  private static final long serialVersionUID = 1L;

  LogOverloadedException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }

  @Override
  public Effect effect() {
    return Effect.NOT_WRITTEN;
  }

  @Override
  public Retry retry() {
    return Retry.SOON;
  }
}
