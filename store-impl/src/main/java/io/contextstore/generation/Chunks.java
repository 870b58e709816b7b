package io.contextstore.generation;

import java.util.Iterator;
import java.util.NoSuchElementException;

/** The first {@code count} chunks of a generation; valid while its view is pinned. */
public final class Chunks implements Iterable<Chunk> {
  private final Chunk[] chunks;
  private final int count;

  Chunks(Chunk[] chunks, int count) {
    this.chunks = chunks;
    this.count = count;
  }

  /** How many chunks there are. */
  public int count() {
    return count;
  }

  /** Chunk {@code index}, from 0. */
  public Chunk get(int index) {
    if (index >= count) {
      throw new IndexOutOfBoundsException(index);
    }
    return chunks[index];
  }

  @Override
  public Iterator<Chunk> iterator() {
    return new Iterator<>() {
      private int next;

      @Override
      public boolean hasNext() {
        return next < count;
      }

      @Override
      public Chunk next() {
        if (next >= count) {
          throw new NoSuchElementException();
        }
        return chunks[next++];
      }
    };
  }
}
