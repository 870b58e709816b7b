package io.contextstore.api.error;

/** The store or row that was asked for does not exist. */
public final class NotFoundException extends StoreException {
  private static final long serialVersionUID = 1L;

  /** Creates it with a message for the user. */
  public NotFoundException(String message) {
    super(ErrorCode.NOT_FOUND, message, null);
  }

  /** Creates it with a message for the user and its cause, which is only logged. */
  public NotFoundException(String message, Throwable cause) {
    super(ErrorCode.NOT_FOUND, message, cause);
  }
}
