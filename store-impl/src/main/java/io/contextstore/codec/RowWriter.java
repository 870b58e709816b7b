package io.contextstore.codec;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.SerializableString;
import com.fasterxml.jackson.core.io.SerializedString;
import io.contextstore.api.schema.Column;
import java.io.IOException;
import java.util.List;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VectorSchemaRoot;

/**
 * Writes rows of Arrow batches as JSON objects with the columns of one projection.
 *
 * <p>Nulls are left out; NaN and infinities, which JSON cannot write, are {@code null}, so that
 * they can be told from a value that is not there. Names are encoded once for the writer, vectors
 * are looked up once for a batch ({@link #bind}), and no object is made for a row. For one thread.
 */
public final class RowWriter {
  private final List<Column> columns;
  private final SerializableString[] names;
  private final Scratch scratch = new Scratch();

  /** A writer of the projection's columns, in its order. */
  public RowWriter(Projection projection) {
    this.columns = projection.columns();
    this.names =
        columns.stream()
            .map(c -> new SerializedString(c.name()))
            .toArray(SerializableString[]::new);
  }

  /**
   * Looks the columns up in a batch, which may have others besides and any order.
   *
   * @param batch stays the caller's; must outlive the result
   * @throws IllegalArgumentException a column is not there or has an unexpected vector
   */
  public Bound bind(VectorSchemaRoot batch) {
    ValueWriter[] writers = new ValueWriter[columns.size()];
    for (int i = 0; i < writers.length; i++) {
      Column column = columns.get(i);
      FieldVector vector = batch.getVector(column.name());
      if (vector == null) {
        throw new IllegalArgumentException("the batch has no column '" + column.name() + "'");
      }
      writers[i] = ValueWriters.of(vector, scratch);
    }
    return new Bound(names, writers);
  }

  /**
   * The rows of one batch. For the thread of its writer, as long as the batch lives; it holds the
   * vectors and not their memory, so it stays right when a scan loads its next rows into them.
   */
  public static final class Bound {
    private final SerializableString[] names;
    private final ValueWriter[] writers;

    private Bound(SerializableString[] names, ValueWriter[] writers) {
      this.names = names;
      this.writers = writers;
    }

    /** Writes one row as an object. */
    public void writeRow(JsonGenerator out, int row) throws IOException {
      out.writeStartObject();
      for (int i = 0; i < writers.length; i++) {
        ValueWriter writer = writers[i];
        if (!writer.isNull(row)) {
          out.writeFieldName(names[i]);
          writer.write(out, row);
        }
      }
      out.writeEndObject();
    }
  }
}
