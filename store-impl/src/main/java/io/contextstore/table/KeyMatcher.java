package io.contextstore.table;

import org.apache.arrow.vector.VarCharVector;

/** Tells whether a base row's key is one that a merge replaces or removes. */
@FunctionalInterface
public interface KeyMatcher {
  /**
   * Called once a base row, in storage order, on the thread of the pass. Implementers must not keep
   * the vector: it is overwritten by the next batch. An exception ends the look-up.
   *
   * @param ids a batch of keys, none of them null
   * @param row the row to look at, from 0
   */
  boolean matches(VarCharVector ids, int row);
}
