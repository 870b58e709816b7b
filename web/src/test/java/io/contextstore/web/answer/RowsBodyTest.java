package io.contextstore.web.answer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.contextstore.api.RowStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

final class RowsBodyTest {
  private static final byte[] JSON = "{\"rows\":[]}".getBytes(StandardCharsets.UTF_8);

  /** Rows that count how often they are closed. */
  private static final class Rows implements RowStream {
    private final IOException failure;
    private int closed;

    Rows(IOException failure) {
      this.failure = failure;
    }

    @Override
    public void writeTo(OutputStream out) throws IOException {
      out.write(JSON);
      out.write('\n');
      out.flush();
      if (failure != null) {
        throw failure;
      }
    }

    @Override
    public void close() {
      closed++;
    }
  }

  /** A client that left. */
  private static final class Closed extends OutputStream {
    @Override
    public void write(int b) throws IOException {
      throw new IOException("broken pipe");
    }
  }

  @Test
  void writesAndReleases() throws IOException {
    Rows rows = new Rows(null);
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    new RowsBody(rows).write(out);
    assertThat(out.toString(StandardCharsets.UTF_8)).isEqualTo("{\"rows\":[]}\n");
    assertThat(rows.closed).isEqualTo(1);
  }

  @Test
  void aClientThatLeavesIsNoFailure() {
    Rows rows = new Rows(null);
    assertThatCode(() -> new RowsBody(rows).write(new Closed())).doesNotThrowAnyException();
    assertThat(rows.closed).isEqualTo(1);
  }

  @Test
  void aFailureOfTheRowsIsPassedOn() {
    IOException failure = new IOException("disk");
    Rows rows = new Rows(failure);
    assertThatThrownBy(() -> new RowsBody(rows).write(new ByteArrayOutputStream()))
        .isSameAs(failure);
    assertThat(rows.closed).isEqualTo(1);
  }

  @Test
  void theRequestClosesWhatWasNeverWritten() {
    OpenRows open = new OpenRows();
    Rows rows = new Rows(null);
    assertThat(open.keep(rows)).isSameAs(rows);
    open.close();
    open.close();
    assertThat(rows.closed).isEqualTo(1);
  }
}
