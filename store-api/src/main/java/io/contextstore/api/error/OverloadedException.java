package io.contextstore.api.error;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** The server cannot take the request now; the message says what became of its rows. */
public final class OverloadedException extends StoreException {
  private static final long serialVersionUID = 1L;

  private final boolean outcomeUnknown;
  private final Duration retryAfter;

  private OverloadedException(
      String message, boolean outcomeUnknown, Duration retryAfter, @Nullable Throwable cause) {
    super(ErrorCode.OVERLOADED, message, cause);
    this.outcomeUnknown = outcomeUnknown;
    this.retryAfter = retryAfter;
  }

  /** Refused before anything entered the log. */
  public static OverloadedException nothingWritten(String reason, Duration retryAfter) {
    return new OverloadedException(reason + "; nothing was written", false, retryAfter, null);
  }

  /** Maintenance that was asked for did not come to its end in time, or failed; no row is lost. */
  public static OverloadedException notFinished(
      String reason, Duration retryAfter, @Nullable Throwable cause) {
    return new OverloadedException(reason, false, retryAfter, cause);
  }

  /** Failed after the rows entered the log's queue: they may or may not be there. */
  public static OverloadedException outcomeUnknown(
      String reason, Duration retryAfter, @Nullable Throwable cause) {
    return new OverloadedException(
        "OUTCOME_UNKNOWN: " + reason + "; a retry with the same ids is safe",
        true,
        retryAfter,
        cause);
  }

  /** Whether the rows of the request may have been written. */
  public boolean outcomeUnknown() {
    return outcomeUnknown;
  }

  /** When a retry makes sense. */
  public Duration retryAfter() {
    return retryAfter;
  }
}
