package io.contextstore.log;

import org.jspecify.annotations.Nullable;

/** The log takes nothing more: it is closed, or an earlier failure left it in doubt. */
public final class LogRefusedException extends LogException {
  private static final long serialVersionUID = 1L;

  LogRefusedException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }

  @Override
  public Effect effect() {
    return Effect.NOT_WRITTEN;
  }

  @Override
  public Retry retry() {
    return Retry.AFTER_REOPEN;
  }
}
