package io.contextstore.api.error;

import org.jspecify.annotations.Nullable;

/** The server cannot start; the message is one line that says why and what to do. */
public final class StartupException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** Creates it with the one line that is printed. */
  public StartupException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
