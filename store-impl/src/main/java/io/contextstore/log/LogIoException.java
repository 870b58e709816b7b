package io.contextstore.log;

import org.jspecify.annotations.Nullable;

/** Reading, listing or removing failed. Nothing was appended and nothing was lost. */
public final class LogIoException extends LogException {
  private static final long serialVersionUID = 1L;

  LogIoException(String message, @Nullable Throwable cause) {
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
