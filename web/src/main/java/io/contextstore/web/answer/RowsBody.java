package io.contextstore.web.answer;

import io.contextstore.api.RowStream;
import jakarta.ws.rs.core.StreamingOutput;
import java.io.IOException;
import java.io.OutputStream;

/**
 * Writes rows as an answer's body and releases their snapshot as soon as that is over, well or
 * badly.
 */
final class RowsBody implements StreamingOutput {
  private final RowStream rows;

  RowsBody(RowStream rows) {
    this.rows = rows;
  }

  @Override
  public void write(OutputStream out) throws IOException {
    try (rows) {
      rows.writeTo(out);
    }
  }
}
