package io.contextstore.log;

import org.jspecify.annotations.Nullable;

/**
 * Writing or syncing failed. The log was cut back to what was durable before; if even that failed
 * it refuses everything until it is opened again, and {@link #retry} says so.
 */
public final class LogWriteException extends LogException {
  private static final long serialVersionUID = 1L;

  private final boolean logUsable;

  LogWriteException(String message, boolean logUsable, @Nullable Throwable cause) {
    super(message, cause);
    this.logUsable = logUsable;
  }

  /** Whether later appends may go on. */
  public boolean logUsable() {
    return logUsable;
  }

  @Override
  public Effect effect() {
    return Effect.UNKNOWN;
  }

  @Override
  public Retry retry() {
    return logUsable ? Retry.SOON : Retry.AFTER_REOPEN;
  }
}
