package io.contextstore.table;

/** Files of a table that were once synced are missing or torn, or its watermark cannot be known. */
public final class TableDamagedException extends TableException {
  private static final long serialVersionUID = 1L;

  TableDamagedException(String message) {
    super(message);
  }

  TableDamagedException(String message, Throwable cause) {
    super(message, cause);
  }
}
