package io.contextstore.api.error;

import jakarta.ejb.ApplicationException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A failure with an answer for the user. Marked as an application exception so that it crosses an
 * EJB as itself.
 */
@ApplicationException(inherited = true, rollback = false)
public abstract sealed class StoreException extends RuntimeException
    permits InvalidRequestException,
        NotFoundException,
        AlreadyExistsException,
        ConflictException,
        TooLargeException,
        RequestTimeoutException,
        UnsupportedException,
        OverloadedException,
        InternalException {
  private static final long serialVersionUID = 1L;

  private final ErrorCode code;

  StoreException(ErrorCode code, String message, @Nullable Throwable cause) {
    super(message, cause);
    this.code = code;
  }

  /** The message for the user; never absent. */
  @Override
  public String getMessage() {
    return Objects.requireNonNull(super.getMessage());
  }

  /** The code for the error body. */
  public ErrorCode code() {
    return code;
  }
}
