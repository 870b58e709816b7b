package io.contextstore.log;

import org.jspecify.annotations.Nullable;

/**
 * Something is wrong with a log. Each kind says what became of the frames of the failed call and
 * when trying again makes sense; a repeated append must carry the same keys, so that it replaces
 * what may already be there.
 */
public abstract sealed class LogException extends RuntimeException
    permits LogCorruptException,
        LogMismatchException,
        LogIoException,
        LogWriteException,
        LogDeadlineException,
        LogRefusedException,
        LogOverloadedException {
  private static final long serialVersionUID = 1L;

  /** What became of the frames of the call that failed. */
  public enum Effect {
    /** Surely not in the log, now or later. */
    NOT_WRITTEN,
    /** May or may not be found by the next open. */
    UNKNOWN
  }

  /** When the call may succeed if repeated. */
  public enum Retry {
    /** At any time. */
    SOON,
    /** After this log was closed and opened again. */
    AFTER_REOPEN,
    /** Only after somebody has repaired the log or the configuration. */
    AFTER_REPAIR
  }

  LogException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }

  /** What became of the frames. */
  public abstract Effect effect();

  /** When to try again. */
  public abstract Retry retry();
}
