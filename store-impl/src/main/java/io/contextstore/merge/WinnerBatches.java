package io.contextstore.merge;

import io.contextstore.generation.Chunk;
import io.contextstore.generation.Generation;
import io.contextstore.generation.KeyBytes;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.types.pojo.Schema;
import org.jspecify.annotations.Nullable;

/**
 * The rows that a merge writes, as batches of a bounded size: of each key the newest row among the
 * generations, unless a tombstone is newer. Large chunks that win as a whole are passed on as they
 * are; of everything else the winners are gathered, because thousands of one-row chunks would be
 * thousands of tiny writes.
 *
 * <p>For one thread. A batch is valid until the next step; the close frees the last one.
 */
final class WinnerBatches implements Iterator<VectorSchemaRoot>, AutoCloseable {
  private static final int BATCH_ROWS = 4096;
  private static final int PASS_ON_ROWS = 1024;
  private static final long BATCH_BYTES = 16L << 20;

  private final List<Generation> generations;
  private final Schema schema;
  private final BufferAllocator allocator;
  private final List<Place> pending = new ArrayList<>();
  private int generation;
  private int chunk;
  private int row;
  private @Nullable VectorSchemaRoot gathered;
  private @Nullable VectorSchemaRoot upcoming;

  private record Place(Chunk chunk, int row) {}

  WinnerBatches(List<Generation> generations, Schema schema, BufferAllocator allocator) {
    this.generations = generations;
    this.schema = schema;
    this.allocator = allocator;
  }

  @Override
  public boolean hasNext() {
    if (upcoming == null) {
      upcoming = gatherNext();
    }
    return upcoming != null;
  }

  @Override
  public VectorSchemaRoot next() {
    if (!hasNext() || upcoming == null) {
      throw new NoSuchElementException();
    }
    VectorSchemaRoot batch = upcoming;
    upcoming = null;
    return batch;
  }

  /** The next batch, which has at least one row and stays owned here; null at the end. */
  private @Nullable VectorSchemaRoot gatherNext() {
    release();
    pending.clear();
    long bytes = 0;
    while (pending.size() < BATCH_ROWS && bytes < BATCH_BYTES) {
      Chunk now = currentChunk();
      if (now == null) {
        break;
      }
      if (row == 0 && now.rows() >= PASS_ON_ROWS && allWin(now)) {
        if (!pending.isEmpty()) {
          break;
        }
        chunk++;
        return now.root();
      }
      bytes += gather(now, BATCH_BYTES - bytes);
    }
    if (pending.isEmpty()) {
      return null;
    }
    return copy();
  }

  private @Nullable Chunk currentChunk() {
    while (generation < generations.size()) {
      var chunks = generations.get(generation).chunksAt(Long.MAX_VALUE);
      if (chunk < chunks.count()) {
        Chunk now = chunks.get(chunk);
        if (!now.tombstones() && row < now.rows()) {
          return now;
        }
        chunk++;
      } else {
        generation++;
        chunk = 0;
      }
      row = 0;
    }
    return null;
  }

  private boolean allWin(Chunk now) {
    for (int i = 0; i < now.rows(); i++) {
      if (!wins(now, i)) {
        return false;
      }
    }
    return true;
  }

  private boolean wins(Chunk now, int at) {
    if (!generations.get(generation).isNewestAt(now.firstOrdinal() + at, Long.MAX_VALUE - 1)) {
      return false;
    }
    KeyBytes key = KeyBytes.of(now.ids(), at);
    for (int newer = generation + 1; newer < generations.size(); newer++) {
      if (generations.get(newer).mentions(key, Long.MAX_VALUE)) {
        return false;
      }
    }
    return true;
  }

  private long gather(Chunk now, long most) {
    long rowBytes = Math.max(1, bytesOf(now) / Math.max(1, now.rows()));
    long taken = 0;
    while (row < now.rows() && pending.size() < BATCH_ROWS && taken < most) {
      if (wins(now, row)) {
        pending.add(new Place(now, row));
        taken += rowBytes;
      }
      row++;
    }
    return taken;
  }

  private static long bytesOf(Chunk chunk) {
    long bytes = 0;
    for (FieldVector vector : chunk.root().getFieldVectors()) {
      bytes += vector.getBufferSize();
    }
    return bytes;
  }

  private VectorSchemaRoot copy() {
    VectorSchemaRoot into = VectorSchemaRoot.create(schema, allocator);
    gathered = into;
    for (int column = 0; column < into.getFieldVectors().size(); column++) {
      FieldVector target = into.getVector(column);
      for (int i = 0; i < pending.size(); i++) {
        Place place = pending.get(i);
        target.copyFromSafe(place.row(), i, place.chunk().root().getVector(column));
      }
    }
    into.setRowCount(pending.size());
    return into;
  }

  private void release() {
    VectorSchemaRoot now = gathered;
    gathered = null;
    if (now != null) {
      now.close();
    }
  }

  @Override
  public void close() {
    release();
  }
}
