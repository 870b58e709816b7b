package io.contextstore.table;

/**
 * Whether keys are found sooner by looking them up in the index or by a scan of the key column. The
 * unit is the time in which a scan passes a row, about 0.4 µs.
 */
final class LookUpCost {
  /** A key in the index, warm: about 2 ms. */
  private static final long ROWS_PER_KEY = 5000;

  /** A fragment that a statement has to scan, beside its rows. */
  private static final long ROWS_PER_FRAGMENT = 1000;

  private LookUpCost() {}

  /** Whether an index may be worth a look at all. */
  static boolean isFew(long keys, long rows) {
    return keys <= rows / ROWS_PER_KEY;
  }

  /**
   * Whether looking up is cheaper. What the index does not cover is scanned once a statement.
   *
   * @param keysAStatement the most keys of a statement
   */
  static boolean isLookUpCheaper(long keys, int keysAStatement, IndexState state) {
    if (!state.isIndexed() || !isFew(keys, state.rows())) {
      return false;
    }
    long statements = Math.ceilDiv(keys, keysAStatement);
    double scannedRows =
        state.unindexedRows() + (double) ROWS_PER_FRAGMENT * state.unindexedFragments();
    return keys * ROWS_PER_KEY + statements * scannedRows <= state.rows();
  }
}
