package io.contextstore.table;

/** The table's watermark is not the one that the work was planned for: plan anew. */
public final class WatermarkMismatchException extends TableException {
  private static final long serialVersionUID = 1L;

  private final long expected;
  private final long found;

  WatermarkMismatchException(String table, long expected, long found) {
    super("table " + table + " has watermark " + found + ", expected " + expected);
    this.expected = expected;
    this.found = found;
  }

  /** The watermark that the caller expected. */
  public long expected() {
    return expected;
  }

  /** The watermark of the table. */
  public long found() {
    return found;
  }
}
