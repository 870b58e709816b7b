package io.contextstore.api.error;

/** Anything wrong with the request; nothing was written. */
public final class InvalidRequestException extends StoreException {
  private static final long serialVersionUID = 1L;

  /** Creates it with a message for the user. */
  public InvalidRequestException(String message) {
    super(ErrorCode.INVALID_REQUEST, message, null);
  }

  /** Creates it with a message for the user and its cause, which is only logged. */
  public InvalidRequestException(String message, Throwable cause) {
    super(ErrorCode.INVALID_REQUEST, message, cause);
  }
}
