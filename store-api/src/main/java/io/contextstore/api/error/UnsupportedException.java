package io.contextstore.api.error;

/** The contract knows it, this version of the server does not. */
public final class UnsupportedException extends StoreException {
  private static final long serialVersionUID = 1L;

  /** Creates it with a message for the user. */
  public UnsupportedException(String message) {
    super(ErrorCode.NOT_IMPLEMENTED, message, null);
  }

  /** Creates it with a message for the user and its cause, which is only logged. */
  public UnsupportedException(String message, Throwable cause) {
    super(ErrorCode.NOT_IMPLEMENTED, message, cause);
  }
}
