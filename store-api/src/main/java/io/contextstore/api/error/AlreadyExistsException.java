package io.contextstore.api.error;

/** The name is taken. */
public final class AlreadyExistsException extends StoreException {
  private static final long serialVersionUID = 1L;

  /** Creates it with a message for the user. */
  public AlreadyExistsException(String message) {
    super(ErrorCode.ALREADY_EXISTS, message, null);
  }

  /** Creates it with a message for the user and its cause, which is only logged. */
  public AlreadyExistsException(String message, Throwable cause) {
    super(ErrorCode.ALREADY_EXISTS, message, cause);
  }
}
