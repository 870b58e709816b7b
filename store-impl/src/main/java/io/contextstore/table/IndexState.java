package io.contextstore.table;

/**
 * How far the index on the key column covers a version of a table. Rows that it does not cover are
 * scanned by every look-up, so all answers are right, only slower.
 *
 * @param indexedFragments fragments that it covers; 0 when there is no index
 * @param unindexedFragments fragments that it does not cover
 * @param indexedRows live rows that it covers
 * @param unindexedRows live rows that it does not cover
 */
public record IndexState(
    int indexedFragments, int unindexedFragments, long indexedRows, long unindexedRows) {
  /** Whether look-ups can use an index at all. */
  public boolean isIndexed() {
    return indexedFragments > 0;
  }

  /** Live rows of the version. */
  public long rows() {
    return indexedRows + unindexedRows;
  }
}
