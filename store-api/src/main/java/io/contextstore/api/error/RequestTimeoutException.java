package io.contextstore.api.error;

/** The client stopped sending in the middle of its request; nothing was written. */
public final class RequestTimeoutException extends StoreException {
  private static final long serialVersionUID = 1L;

  /** Creates it with a message for the user. */
  public RequestTimeoutException(String message) {
    super(ErrorCode.REQUEST_TIMEOUT, message, null);
  }

  /** Creates it with a message for the user and its cause, which is only logged. */
  public RequestTimeoutException(String message, Throwable cause) {
    super(ErrorCode.REQUEST_TIMEOUT, message, cause);
  }
}
