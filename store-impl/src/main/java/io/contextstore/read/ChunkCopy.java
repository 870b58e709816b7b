package io.contextstore.read;

import io.contextstore.filter.RenderedFilter;
import io.contextstore.generation.Chunk;
import io.contextstore.generation.MemoryBudget;
import io.contextstore.table.Deadline;
import io.contextstore.table.MemoryTable;
import io.contextstore.table.TableEngine;
import io.contextstore.table.TableScan;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.IntVector;
import org.apache.arrow.vector.VectorSchemaRoot;

/**
 * A copy of neighbouring chunks as a table in memory. Immutable; the owner closes it.
 *
 * @param firstOrdinal the ordinal of the first row of the first chunk
 */
record ChunkCopy(
    int firstOrdinal,
    List<Chunk> rowChunks,
    Optional<MemoryTable> table,
    MemoryBudget budget,
    long bytes)
    implements AutoCloseable {

  /** Copies at least one chunk. Tombstones have no values that a filter could look at. */
  static ChunkCopy of(List<Chunk> chunks, TableEngine engine, MemoryBudget budget) {
    List<Chunk> rows = chunks.stream().filter(c -> !c.tombstones() && c.rows() > 0).toList();
    int firstOrdinal = chunks.getFirst().firstOrdinal();
    if (rows.isEmpty()) {
      return new ChunkCopy(firstOrdinal, rows, Optional.empty(), budget, 0);
    }
    long bytes = 0;
    for (Chunk chunk : rows) {
      for (FieldVector vector : chunk.root().getFieldVectors()) {
        bytes += vector.getBufferSize();
      }
    }
    List<VectorSchemaRoot> roots = rows.stream().map(Chunk::root).toList();
    MemoryTable table = engine.memoryTable(rows.getFirst().root().getSchema(), roots.iterator());
    // Over the bound rather than refused: it goes with the generation, which a merge takes away.
    budget.reserve(bytes);
    return new ChunkCopy(firstOrdinal, rows, Optional.of(table), budget, bytes);
  }

  /** Sets the ordinals of the rows that match. */
  void match(RenderedFilter filter, Deadline deadline, BitSet matching) {
    if (table.isEmpty()) {
      return;
    }
    int chunk = 0;
    int before = 0;
    try (TableScan scan = table.get().scan(filter, deadline)) {
      while (scan.next()) {
        IntVector numbers = MemoryTable.ordinals(scan);
        for (int i = 0; i < numbers.getValueCount(); i++) {
          // Numbers ascend and count rows of row chunks only.
          int number = numbers.get(i);
          while (number >= before + rowChunks.get(chunk).rows()) {
            before += rowChunks.get(chunk).rows();
            chunk++;
          }
          matching.set(rowChunks.get(chunk).firstOrdinal() + number - before);
        }
      }
    }
  }

  @Override
  public void close() {
    table.ifPresent(MemoryTable::close);
    budget.release(bytes);
  }
}
