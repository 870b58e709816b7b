package io.contextstore.read;

import io.contextstore.generation.Generation;
import java.util.BitSet;

/** Tells which rows of a generation a filter lets through. */
@FunctionalInterface
interface RowMatcher {
  /**
   * The ordinals of all rows visible at {@code lsn} or earlier that match, superseded ones
   * included.
   */
  BitSet matching(Generation generation, long lsn);
}
