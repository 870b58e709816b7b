package io.contextstore.generation;

import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.util.ByteFunctionHelpers;
import org.apache.arrow.vector.VarCharVector;

/** A key to look up, wherever its bytes lie. Nothing is copied; valid while its source is. */
public sealed interface KeyBytes {
  /** The seeded hash. */
  int hash();

  /** Whether row {@code row} of {@code ids} has this key. */
  boolean sameAs(VarCharVector ids, int row);

  /** A key on the heap. The array must not change. */
  static KeyBytes of(byte[] utf8) {
    return new Heap(utf8, KeyHash.of(utf8));
  }

  /** The key in row {@code row} of {@code ids}. */
  static KeyBytes of(VarCharVector ids, int row) {
    long start = ids.getStartOffset(row);
    int length = ids.getEndOffset(row) - (int) start;
    ArrowBuf data = ids.getDataBuffer();
    return new Direct(data, start, length, KeyHash.of(data, start, length));
  }

  /** See {@link #of(byte[])}. */
  final class Heap implements KeyBytes {
    private final byte[] utf8;
    private final int hash;

    private Heap(byte[] utf8, int hash) {
      this.utf8 = utf8;
      this.hash = hash;
    }

    @Override
    public int hash() {
      return hash;
    }

    @Override
    public boolean sameAs(VarCharVector ids, int row) {
      int start = ids.getStartOffset(row);
      int end = ids.getEndOffset(row);
      return end - start == utf8.length
          && ByteFunctionHelpers.compare(ids.getDataBuffer(), start, end, utf8, 0, utf8.length)
              == 0;
    }
  }

  /** See {@link #of(VarCharVector, int)}. */
  record Direct(ArrowBuf data, long start, int length, int hash) implements KeyBytes {
    @Override
    public boolean sameAs(VarCharVector ids, int row) {
      int from = ids.getStartOffset(row);
      int to = ids.getEndOffset(row);
      return to - from == length
          && ByteFunctionHelpers.equal(data, start, start + length, ids.getDataBuffer(), from, to)
              == 1;
    }
  }
}
