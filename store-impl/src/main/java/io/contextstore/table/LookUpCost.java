package io.contextstore.table;

/**
 * Whether keys are found sooner by looking them up in the index or by a scan of the key column. The
 * unit is the time in which a scan passes a row, 0.08 to 0.4 µs. See {@code IndexBenchmark}.
 */
final class LookUpCost {
  /** A key in the index: 2,000 rows when the index is in memory, more when it has to be read. */
  private static final long ROWS_PER_KEY = 5000;

  /** A fragment that a statement has to scan, beside its rows: 0.1 to 0.3 ms. */
  private static final long ROWS_PER_FRAGMENT = 1500;

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
