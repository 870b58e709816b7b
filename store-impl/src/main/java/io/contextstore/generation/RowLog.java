package io.contextstore.generation;

import java.util.Arrays;

/**
 * What a generation knows of its rows beside their values: for each ordinal its chunk, its key's
 * hash, the row that it replaced and the LSN that superseded it.
 *
 * <p>Single writer; readers need no lock. Arrays grow by copy: a reader takes {@link #state} after
 * it has learned of an ordinal through a volatile read, so the arrays it sees hold that ordinal. A
 * reader with an older copy may miss a later {@code supersededAt}, but only one above its LSN.
 */
final class RowLog {
  static final long LIVE = Long.MAX_VALUE;
  static final int NONE = -1;
  static final int BYTES_PER_ROW = 3 * Integer.BYTES + Long.BYTES;

  /** One consistent set of arrays. The elements are written by the single writer only. */
  static final class State {
    private final Chunk[] chunks;
    private final int[] chunkOf;
    private final int[] hashOf;
    private final int[] previous;
    private final long[] supersededAt;

    private State(
        Chunk[] chunks, int[] chunkOf, int[] hashOf, int[] previous, long[] supersededAt) {
      this.chunks = chunks;
      this.chunkOf = chunkOf;
      this.hashOf = hashOf;
      this.previous = previous;
      this.supersededAt = supersededAt;
    }

    Chunk[] chunks() {
      return chunks;
    }

    int hash(int ordinal) {
      return hashOf[ordinal];
    }

    int previous(int ordinal) {
      return previous[ordinal];
    }

    long supersededAt(int ordinal) {
      return supersededAt[ordinal];
    }

    Chunk chunk(int ordinal) {
      return chunks[chunkOf[ordinal]];
    }

    long lsn(int ordinal) {
      return chunk(ordinal).lsn();
    }

    int rowInChunk(int ordinal) {
      return ordinal - chunk(ordinal).firstOrdinal();
    }
  }

  private volatile State state =
      new State(new Chunk[4], new int[16], new int[16], new int[16], new long[16]);
  private int chunkCount;
  private int rowCount;

  State state() {
    return state;
  }

  int rowCount() {
    return rowCount;
  }

  int chunkCount() {
    return chunkCount;
  }

  /** Makes room for a chunk and its rows; the rows follow by {@link #add}. */
  void addChunk(Chunk chunk) {
    State old = state;
    Chunk[] chunks =
        chunkCount == old.chunks.length ? Arrays.copyOf(old.chunks, chunkCount * 2) : old.chunks;
    chunks[chunkCount] = chunk;
    int needed = Math.addExact(rowCount, chunk.rows());
    State next;
    if (needed > old.chunkOf.length) {
      int size = Math.max(needed, old.chunkOf.length * 2);
      next =
          new State(
              chunks,
              Arrays.copyOf(old.chunkOf, size),
              Arrays.copyOf(old.hashOf, size),
              Arrays.copyOf(old.previous, size),
              Arrays.copyOf(old.supersededAt, size));
    } else {
      next = new State(chunks, old.chunkOf, old.hashOf, old.previous, old.supersededAt);
    }
    chunkCount++;
    state = next;
  }

  /** Adds the next row of the newest chunk. */
  int add(int hash, int replaced) {
    int ordinal = rowCount++;
    State now = state;
    now.chunkOf[ordinal] = chunkCount - 1;
    now.hashOf[ordinal] = hash;
    now.previous[ordinal] = replaced;
    now.supersededAt[ordinal] = LIVE;
    if (replaced != NONE) {
      now.supersededAt[replaced] = now.lsn(ordinal);
    }
    return ordinal;
  }
}
