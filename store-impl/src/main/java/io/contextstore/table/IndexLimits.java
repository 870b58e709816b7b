package io.contextstore.table;

/**
 * When the index on the key column is made, and when it is brought up to date. Both read the whole
 * key column or the whole old index, so neither is worth it after every merge.
 *
 * @param minRows rows from which a table gets an index
 * @param maxUnindexedFragments the most fragments that an index may leave out
 * @param maxUnindexedPercent the largest share of the rows that an index may leave out, 0 to 100
 */
public record IndexLimits(long minRows, int maxUnindexedFragments, int maxUnindexedPercent) {
  private static final int ALL = 100;

  /** The limits when nothing is set. Below so many rows a scan is as fast as a look-up. */
  public static final IndexLimits DEFAULT = new IndexLimits(10_000, 8, 5);

  public IndexLimits {
    if (minRows < 1 || maxUnindexedFragments < 0) {
      throw new IllegalArgumentException("an index needs rows, and limits of at least 0");
    }
    if (maxUnindexedPercent < 0 || maxUnindexedPercent > ALL) {
      throw new IllegalArgumentException("a share is between 0 and 100 percent");
    }
  }

  /** Whether the index is to be made or brought up to date. */
  public boolean isDue(IndexState state) {
    if (!state.isIndexed()) {
      return state.rows() >= minRows;
    }
    return state.unindexedFragments() > maxUnindexedFragments
        || state.unindexedRows() > state.rows() / (double) ALL * maxUnindexedPercent;
  }
}
