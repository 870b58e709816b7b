package io.contextstore.table;

/**
 * The waiting caller was interrupted; its interrupt flag is set again. The call goes on without it
 * and frees what it made.
 */
public final class TableInterruptedException extends TableException {
  private static final long serialVersionUID = 1L;

  TableInterruptedException(String message, InterruptedException cause) {
    super(message, cause);
  }
}
