package io.contextstore.service;

import io.contextstore.api.RowStream;
import io.contextstore.codec.Projection;
import io.contextstore.codec.RowWriter;
import io.contextstore.codec.RowsOutput;
import io.contextstore.read.RowCursor;
import io.contextstore.read.Selection;
import java.io.IOException;
import java.io.OutputStream;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.jspecify.annotations.Nullable;

/** The rows of a cursor as JSON: {@code {"rows":[…]}}, or one row bare. Owns the cursor. */
final class JsonRows implements RowStream {
  private final RowCursor cursor;
  private final RowWriter writer;
  private final boolean bare;

  private JsonRows(RowCursor cursor, Projection projection, boolean bare) {
    this.cursor = cursor;
    this.writer = new RowWriter(projection);
    this.bare = bare;
  }

  /** All rows, in the envelope. */
  static JsonRows enveloped(RowCursor cursor, Projection projection) {
    return new JsonRows(cursor, projection, false);
  }

  /** The first selected row, to which the cursor has stepped already. */
  static JsonRows bare(RowCursor cursor, Projection projection) {
    return new JsonRows(cursor, projection, true);
  }

  @Override
  @SuppressWarnings("ReferenceEquality") // The same batch, not one like it.
  public void writeTo(OutputStream out) throws IOException {
    if (bare) {
      try (RowsOutput row = RowsOutput.bare(out)) {
        Selection selection = cursor.selection();
        row.write(writer.bind(selection.root()), selection.row(0));
        row.finish();
      }
      return;
    }
    try (RowsOutput rows = RowsOutput.enveloped(out)) {
      VectorSchemaRoot bound = null;
      RowWriter.@Nullable Bound batch = null;
      while (cursor.next()) {
        Selection selection = cursor.selection();
        // A scan reuses its batch, and its vectors with it.
        if (batch == null || bound != selection.root()) {
          bound = selection.root();
          batch = writer.bind(bound);
        }
        for (int i = 0; i < selection.count(); i++) {
          rows.write(batch, selection.row(i));
        }
      }
      rows.finish();
    }
  }

  @Override
  public void close() {
    cursor.close();
  }
}
