package io.contextstore.table;

/** The caller's deadline passed. The call goes on without it and frees what it made. */
public final class TableTimeoutException extends TableException {
  private static final long serialVersionUID = 1L;

  TableTimeoutException(String message) {
    super(message);
  }
}
