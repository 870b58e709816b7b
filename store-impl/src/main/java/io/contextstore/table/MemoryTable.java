package io.contextstore.table;

import io.contextstore.filter.RenderedFilter;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import org.apache.arrow.vector.IntVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.types.pojo.Schema;
import org.lance.Dataset;
import org.lance.WriteParams;

/**
 * Rows of a generation as a Lance table in memory, so that a filter means the same there as in the
 * base table. It answers with row numbers; the rows themselves stay where they are. Its memory is
 * native and not seen by Arrow's allocator. Any number of threads may scan at once; the owner
 * closes it when nobody does.
 */
public final class MemoryTable implements AutoCloseable {
  /** Name of the one column of a scan: 32-bit numbers of matching rows, from 0, ascending. */
  public static final String ORDINAL = BatchReader.ORDINAL;

  private static final int BATCH_ROWS = 8192;

  private final TableEngine engine;
  private final Dataset dataset;
  private final long rowCount;

  private MemoryTable(TableEngine engine, Dataset dataset, long rowCount) {
    this.engine = engine;
    this.dataset = dataset;
    this.rowCount = rowCount;
  }

  static MemoryTable copyOf(TableEngine engine, Schema schema, Iterator<VectorSchemaRoot> batches) {
    // A host of its own: stores of one host would share, and keep, each other's files.
    String uri = "memory://" + UUID.randomUUID() + "/rows.lance";
    try (BatchReader reader = new BatchReader(engine.allocator(), schema, batches, true)) {
      Dataset dataset =
          Dataset.write()
              .allocator(engine.allocator())
              .uri(uri)
              .reader(reader)
              .mode(WriteParams.WriteMode.CREATE)
              .session(engine.session())
              .execute();
      return new MemoryTable(engine, dataset, reader.rows());
    } catch (Exception e) {
      throw LanceErrors.table("building a table in memory", e);
    }
  }

  /** How many rows it holds. */
  public long rowCount() {
    return rowCount;
  }

  /**
   * Scans for the numbers of the rows that match; the caller closes the scan.
   *
   * @throws TableFilterException when the filter does not fit the table
   * @throws TableException when the deadline passes
   */
  public TableScan scan(RenderedFilter filter, Deadline deadline) {
    engine.ioCheck();
    ScanRequest request =
        new ScanRequest(
            List.of(ORDINAL),
            Optional.of(filter),
            false,
            false,
            OptionalLong.empty(),
            BATCH_ROWS,
            deadline);
    return engine.requestScans().scan(dataset, "rows in memory", request);
  }

  /** The row numbers in the present batch of a scan. */
  public static IntVector ordinals(TableScan scan) {
    return (IntVector) scan.root().getVector(ORDINAL);
  }

  /** Frees the rows. May be called twice. */
  @Override
  public void close() {
    engine.ioCheck();
    dataset.close();
  }
}
