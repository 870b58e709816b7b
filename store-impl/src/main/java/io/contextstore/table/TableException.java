package io.contextstore.table;

/**
 * A table could not be read or written: I/O, a damaged table, an engine that is closing. Never the
 * fault of a user's filter; that is {@link TableFilterException}.
 */
public class TableException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** Creates it with a message for the log. */
  public TableException(String message) {
    super(message);
  }

  /** Creates it with a message for the log and its cause. */
  public TableException(String message, Throwable cause) {
    super(message, cause);
  }
}
