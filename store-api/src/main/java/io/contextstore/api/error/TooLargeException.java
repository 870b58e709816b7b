package io.contextstore.api.error;

/** The body is over its limit; nothing was written. */
public final class TooLargeException extends StoreException {
  private static final long serialVersionUID = 1L;

  /** Creates it with a message for the user. */
  public TooLargeException(String message) {
    super(ErrorCode.TOO_LARGE, message, null);
  }

  /** Creates it with a message for the user and its cause, which is only logged. */
  public TooLargeException(String message, Throwable cause) {
    super(ErrorCode.TOO_LARGE, message, cause);
  }
}
