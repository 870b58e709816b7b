package io.contextstore.api.error;

/** The request does not fit the present state; nothing was written. */
public final class ConflictException extends StoreException {
  private static final long serialVersionUID = 1L;

  /** Creates it with a message for the user. */
  public ConflictException(String message) {
    super(ErrorCode.CONFLICT, message, null);
  }

  /** Creates it with a message for the user and its cause, which is only logged. */
  public ConflictException(String message, Throwable cause) {
    super(ErrorCode.CONFLICT, message, cause);
  }
}
