package io.contextstore.web.answer;

import io.contextstore.api.RowStream;
import jakarta.ws.rs.core.StreamingOutput;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;

/**
 * Writes rows as an answer's body and releases their snapshot as soon as that is over, well or
 * badly. A client that goes away is no fault; a failure of the engine is passed on, and ends the
 * body before its JSON is complete.
 */
final class RowsBody implements StreamingOutput {
  private static final Logger LOG = System.getLogger(RowsBody.class.getName());

  private final RowStream rows;

  RowsBody(RowStream rows) {
    this.rows = rows;
  }

  @Override
  public void write(OutputStream out) throws IOException {
    try (rows) {
      rows.writeTo(new ClientStream(out));
    } catch (ClientGoneException e) {
      LOG.log(Level.DEBUG, "the client went away in the middle of its answer", e);
    }
  }

  /** Writing to the client failed; reading the rows did not. */
  private static final class ClientGoneException extends IOException {
    private static final long serialVersionUID = 1L;

    ClientGoneException(IOException cause) {
      super(cause);
    }
  }

  /** Marks what fails on the client's side. */
  private static final class ClientStream extends FilterOutputStream {
    ClientStream(OutputStream out) {
      super(out);
    }

    @Override
    public void write(int b) throws IOException {
      try {
        out.write(b);
      } catch (IOException e) {
        throw new ClientGoneException(e);
      }
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
      try {
        out.write(bytes, offset, length);
      } catch (IOException e) {
        throw new ClientGoneException(e);
      }
    }

    @Override
    public void flush() throws IOException {
      try {
        out.flush();
      } catch (IOException e) {
        throw new ClientGoneException(e);
      }
    }

    @Override
    public void close() {
      // The framework closes the answer.
    }
  }
}
