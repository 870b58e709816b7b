package io.contextstore.codec;

import org.apache.arrow.vector.VectorSchemaRoot;

/**
 * A batch of rows and its owner: whoever holds it must close it. Immutable from here on; any number
 * of threads may read it until it is closed.
 *
 * @param root the vectors, of the store's schema
 * @param bytes the memory behind them, in bytes, as far as the allocator counts it
 */
public record RowBatch(VectorSchemaRoot root, long bytes) implements AutoCloseable {
  /** The number of rows, at least 0. */
  public int rowCount() {
    return root.getRowCount();
  }

  @Override
  public void close() {
    root.close();
  }
}
