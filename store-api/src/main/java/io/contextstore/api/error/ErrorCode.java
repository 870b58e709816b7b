package io.contextstore.api.error;

/** The codes of the error body, each with its HTTP status. */
public enum ErrorCode {
  INVALID_REQUEST(400),
  NOT_FOUND(404),
  METHOD_NOT_ALLOWED(405),
  NOT_ACCEPTABLE(406),
  REQUEST_TIMEOUT(408),
  ALREADY_EXISTS(409),
  CONFLICT(409),
  TOO_LARGE(413),
  UNSUPPORTED_MEDIA_TYPE(415),
  INTERNAL(500),
  NOT_IMPLEMENTED(501),
  OVERLOADED(503);

  private final int status;

  ErrorCode(int status) {
    this.status = status;
  }

  /** The HTTP status that goes with the code. */
  public int status() {
    return status;
  }
}
