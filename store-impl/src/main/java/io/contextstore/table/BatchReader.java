package io.contextstore.table;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.IntVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.VectorUnloader;
import org.apache.arrow.vector.ipc.ArrowReader;
import org.apache.arrow.vector.ipc.message.ArrowRecordBatch;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;
import org.apache.arrow.vector.types.pojo.Schema;

/**
 * Hands batches to Lance one at a time without copying them: their buffers are shared, by count,
 * until Lance lets go. Optionally it appends a column with the row's number among all rows.
 */
final class BatchReader extends ArrowReader {
  /** Name of the column of row numbers. Users' columns never start with an underscore. */
  static final String ORDINAL = "_ordinal";

  private final Schema schema;
  private final Iterator<VectorSchemaRoot> batches;
  private final boolean numbered;
  private long rows;

  /**
   * Reads {@code batches}, which stay the caller's.
   *
   * @param schema schema of the batches; of the same allocator root as {@code allocator}
   */
  BatchReader(
      BufferAllocator allocator,
      Schema schema,
      Iterator<VectorSchemaRoot> batches,
      boolean numbered) {
    super(allocator);
    this.schema = numbered ? withOrdinal(schema) : schema;
    this.batches = batches;
    this.numbered = numbered;
  }

  private static Schema withOrdinal(Schema schema) {
    List<Field> fields = new ArrayList<>(schema.getFields());
    fields.add(
        new Field(ORDINAL, FieldType.notNullable(new ArrowType.Int(Integer.SIZE, true)), null));
    return new Schema(fields, schema.getCustomMetadata());
  }

  @Override
  public boolean loadNextBatch() throws IOException {
    prepareLoadNextBatch();
    while (batches.hasNext()) {
      VectorSchemaRoot batch = batches.next();
      if (batch.getRowCount() > 0) {
        load(batch);
        rows += batch.getRowCount();
        return true;
      }
    }
    return false;
  }

  private void load(VectorSchemaRoot batch) {
    if (numbered) {
      loadNumbered(batch);
    } else {
      try (ArrowRecordBatch shared = new VectorUnloader(batch).getRecordBatch()) {
        loadRecordBatch(shared);
      }
    }
  }

  private void loadNumbered(VectorSchemaRoot batch) {
    int count = batch.getRowCount();
    int first = Math.toIntExact(rows);
    Math.addExact(first, count);
    try (IntVector ordinals = new IntVector(ORDINAL, allocator)) {
      ordinals.allocateNew(count);
      for (int row = 0; row < count; row++) {
        ordinals.set(row, first + row);
      }
      ordinals.setValueCount(count);
      List<FieldVector> vectors = new ArrayList<>(batch.getFieldVectors());
      vectors.add(ordinals);
      // Not closed: it owns none of these vectors.
      VectorSchemaRoot all = new VectorSchemaRoot(schema.getFields(), vectors, count);
      try (ArrowRecordBatch shared = new VectorUnloader(all).getRecordBatch()) {
        loadRecordBatch(shared);
      }
    }
  }

  /** Rows that were handed out so far. */
  long rows() {
    return rows;
  }

  @Override
  public long bytesRead() {
    return 0;
  }

  @Override
  protected void closeReadSource() {}

  @Override
  protected Schema readSchema() {
    return schema;
  }
}
