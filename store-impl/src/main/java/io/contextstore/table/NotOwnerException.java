package io.contextstore.table;

/** Another owner has taken the table: whoever gets this must stop writing to the store. */
public final class NotOwnerException extends TableException {
  private static final long serialVersionUID = 1L;

  private final long ownEpoch;
  private final long tableEpoch;

  NotOwnerException(String table, long ownEpoch, long tableEpoch) {
    super("table " + table + " belongs to owner epoch " + tableEpoch + ", not to " + ownEpoch);
    this.ownEpoch = ownEpoch;
    this.tableEpoch = tableEpoch;
  }

  /** The epoch of the caller. */
  public long ownEpoch() {
    return ownEpoch;
  }

  /** The epoch that the table bears. */
  public long tableEpoch() {
    return tableEpoch;
  }
}
