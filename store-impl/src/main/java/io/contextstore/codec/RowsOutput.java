package io.contextstore.codec;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.io.OutputStream;

/**
 * An answer of rows on its way out: {@code {"rows":[…]}}, or one row bare.
 *
 * <p>Call {@link #write} for each row, then {@link #finish}, then {@link #close}. Without {@code
 * finish} the brackets stay open, so that an answer cut short by a failure cannot be taken for a
 * complete one. Neither closes or flushes the stream. For one thread.
 */
public final class RowsOutput implements AutoCloseable {
  private static final String ROWS = "rows";

  private final JsonGenerator out;
  private final boolean enveloped;

  private RowsOutput(JsonGenerator out, boolean enveloped) {
    this.out = out;
    this.enveloped = enveloped;
  }

  /** Any number of rows as {@code {"rows":[…]}}. */
  public static RowsOutput enveloped(OutputStream stream) throws IOException {
    JsonGenerator out = JsonText.generator(stream);
    out.writeStartObject();
    out.writeArrayFieldStart(ROWS);
    return new RowsOutput(out, true);
  }

  /** Exactly one row, itself the answer. */
  public static RowsOutput bare(OutputStream stream) throws IOException {
    return new RowsOutput(JsonText.generator(stream), false);
  }

  /** Writes one row. */
  public void write(RowWriter.Bound rows, int row) throws IOException {
    rows.writeRow(out, row);
  }

  /** Completes the JSON text and hands the last of it to the stream. */
  public void finish() throws IOException {
    if (enveloped) {
      out.writeEndArray();
      out.writeEndObject();
    }
    out.flush();
  }

  /** Gives the writer's own buffers back. */
  @Override
  public void close() throws IOException {
    out.close();
  }
}
