package io.contextstore.table;

/**
 * The user's filter cannot be planned for this table, or fails on one of its rows ({@code n / 0}, a
 * cast that does not fit). The message may be shown to the user: it speaks of the filter only.
 */
public final class TableFilterException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  TableFilterException(String message, Throwable cause) {
    super(message, cause);
  }
}
