package io.contextstore.api.error;

/** A fault of the server. The message is safe to show; the cause is for the log. */
public final class InternalException extends StoreException {
  private static final long serialVersionUID = 1L;

  /** Creates it with a message for the user. */
  public InternalException(String message) {
    super(ErrorCode.INTERNAL, message, null);
  }

  /** Creates it with a message for the user and its cause, which is only logged. */
  public InternalException(String message, Throwable cause) {
    super(ErrorCode.INTERNAL, message, cause);
  }
}
