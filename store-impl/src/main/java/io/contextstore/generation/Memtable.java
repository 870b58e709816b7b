package io.contextstore.generation;

import java.util.function.LongConsumer;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VectorSchemaRoot;

/**
 * The writer's end of the active segment's rows. Single writer: the store's log writer, or recovery
 * before the store is open.
 */
public final class Memtable {
  private final Generation generation;
  private int rows;

  private Memtable(Generation generation) {
    this.generation = generation;
  }

  /**
   * Opens an empty memtable.
   *
   * @param segment the log segment that its rows are in
   * @param visibleLsn the newest LSN before it
   * @param onFree runs once, when the memory is freed, with the sum of {@link #cost} of all batches
   */
  public static Memtable open(long segment, long visibleLsn, LongConsumer onFree) {
    return new Memtable(new Generation(segment, visibleLsn, onFree));
  }

  /** The rows for readers; the memtable holds no reference of its own. */
  public Generation generation() {
    return generation;
  }

  /** Whether nothing was appended. */
  public boolean isEmpty() {
    return rows == 0;
  }

  /**
   * Indexes a batch and publishes its LSN. From here on the generation owns {@code root}, also when
   * this method throws. An empty batch only moves the visible LSN.
   */
  public void append(long lsn, VectorSchemaRoot root, boolean tombstones) {
    generation.append(new Chunk(root, tombstones, lsn, rows), cost(root));
    rows += root.getRowCount();
  }

  /** What {@code root} takes of a memory budget once it is appended: buffers and key index. */
  public static long cost(VectorSchemaRoot root) {
    long bytes = (long) root.getRowCount() * Generation.INDEX_BYTES_PER_ROW;
    for (FieldVector vector : root.getFieldVectors()) {
      for (ArrowBuf buffer : vector.getBuffers(false)) {
        bytes += buffer.capacity();
      }
    }
    return bytes;
  }
}
