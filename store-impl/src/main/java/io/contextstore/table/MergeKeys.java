package io.contextstore.table;

import io.contextstore.api.RowKey;

/**
 * The keys that a merge replaces or removes, in the two forms in which base rows are found: one by
 * one for look-ups, as a test of base rows for a scan. A key may be iterated more than once; all of
 * them match. Used by the thread of the pass only.
 */
public interface MergeKeys extends KeyMatcher, Iterable<RowKey> {
  /** How many keys there are at most. */
  long count();
}
