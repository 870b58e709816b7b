package io.contextstore.generation;

import org.apache.arrow.vector.VarCharVector;
import org.apache.arrow.vector.VectorSchemaRoot;

/**
 * The rows of one frame: an immutable batch with the LSN that made it visible.
 *
 * @param root the batch; owned by the generation. All columns of the store, {@code id} first, or
 *     the id alone for tombstones
 * @param tombstones whether the rows delete their keys
 * @param lsn the frame's LSN
 * @param firstOrdinal the number of the first row within the generation
 */
public record Chunk(VectorSchemaRoot root, boolean tombstones, long lsn, int firstOrdinal) {
  /** The number of rows. */
  public int rows() {
    return root.getRowCount();
  }

  /** The key column. */
  public VarCharVector ids() {
    return (VarCharVector) root.getVector(0);
  }
}
