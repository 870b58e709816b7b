package io.contextstore.codec;

import static io.contextstore.codec.CodecFixture.EVERY_TYPE;
import static io.contextstore.codec.CodecFixture.column;
import static io.contextstore.codec.CodecFixture.schema;
import static io.contextstore.codec.CodecFixture.stream;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.contextstore.api.error.OverloadedException;
import io.contextstore.api.error.TooLargeException;
import io.contextstore.api.schema.ColumnType;
import io.contextstore.api.schema.ColumnType.Metric;
import io.contextstore.api.schema.StoreSchema;
import java.io.ByteArrayInputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** The stream and the memory behind a parse: what they throw, and that nothing stays behind. */
class RowParserStreamTest {
  private static final String ROWS =
      "{\"rows\":["
          + "{\"id\":\"a\",\"text\":\"some text\",\"vector\":[1,2,3],\"texts\":[\"x\",null]},"
              .repeat(500)
          + "{\"id\":\"z\"}]}";

  /** Throws once {@code limit} bytes have been read. */
  private static final class Failing extends FilterInputStream {
    private final Exception failure;
    private int left;

    Failing(String json, int limit, Exception failure) {
      super(stream(json));
      this.left = limit;
      this.failure = failure;
    }

    @Override
    public int read(byte[] target, int start, int count) throws IOException {
      if (left <= 0) {
        if (failure instanceof IOException io) {
          throw io;
        }
        throw (RuntimeException) failure;
      }
      int read = super.read(target, start, Math.min(count, left));
      left -= read;
      return read;
    }
  }

  @Test
  void whatTheStreamThrowsPassesThrough() {
    try (CodecFixture codec = new CodecFixture()) {
      for (Exception failure :
          new Exception[] {
            new IOException("connection reset"),
            new TooLargeException("the body is over its limit"),
            new IllegalArgumentException("a fault of the stream")
          }) {
        for (int limit : new int[] {0, 1, 10, 5000, ROWS.length() - 1, ROWS.length()}) {
          assertThatThrownBy(
                  () ->
                      new RowParser(EVERY_TYPE)
                          .parse(new Failing(ROWS, limit, failure), codec.allocator))
              .isSameAs(failure);
          assertThat(codec.allocator.getAllocatedMemory()).isZero();
        }
      }
    }
  }

  @Test
  void aFaultOfTheStreamInBase64IsNotAFaultOfTheValue() {
    String json = "{\"rows\":[{\"id\":\"a\",\"binary\":\"" + "A".repeat(100_000) + "\"}]}";
    TooLargeException failure = new TooLargeException("the body is over its limit");
    try (CodecFixture codec = new CodecFixture()) {
      assertThatThrownBy(
              () ->
                  new RowParser(EVERY_TYPE)
                      .parse(new Failing(json, 50_000, failure), codec.allocator))
          .isSameAs(failure);
    }
  }

  @Test
  void theStreamStaysOpen() throws IOException {
    boolean[] closed = {false};
    InputStream body =
        new ByteArrayInputStream(ROWS.getBytes(StandardCharsets.UTF_8)) {
          @Override
          public void close() {
            closed[0] = true;
          }
        };
    try (CodecFixture codec = new CodecFixture()) {
      new RowParser(EVERY_TYPE).parse(body, codec.allocator).close();
      assertThat(closed[0]).isFalse();
      assertThat(body.read()).isEqualTo(-1);
    }
  }

  /** Every limit from none to enough: refused as overload and released, or parsed. */
  @Test
  void theAllocatorsLimit() throws IOException {
    long enough;
    try (CodecFixture codec = new CodecFixture()) {
      codec.parse(EVERY_TYPE, ROWS).close();
      enough = codec.allocator.getPeakMemoryAllocation();
    }
    for (long limit = 0; limit < enough; limit += 1 + enough / 50) {
      try (CodecFixture codec = new CodecFixture(limit)) {
        assertThatThrownBy(() -> codec.parse(EVERY_TYPE, ROWS))
            .isInstanceOfSatisfying(
                OverloadedException.class, e -> assertThat(e.outcomeUnknown()).isFalse())
            .hasMessage("the memory for rows is used up; nothing was written");
        assertThat(codec.allocator.getAllocatedMemory()).isZero();
      }
    }
    try (CodecFixture codec = new CodecFixture(enough);
        RowBatch batch = codec.parse(EVERY_TYPE, ROWS)) {
      assertThat(batch.rowCount()).isEqualTo(501);
    }
  }

  /** Twelve bytes of text that would become gigabytes of zeros. */
  @Test
  void nullVectorsOfManyDimensions() {
    StoreSchema wide =
        schema(column("v", new ColumnType.Vector(ColumnType.Vector.MAX_DIM, Metric.L2)));
    String json = "{\"rows\":[" + "{\"id\":\"a\"},".repeat(2000) + "{\"id\":\"a\"}]}";
    try (CodecFixture codec = new CodecFixture(64 << 20)) {
      assertThatThrownBy(() -> codec.parse(wide, json)).isInstanceOf(OverloadedException.class);
    }
  }

  @Test
  void memoryIsExact() {
    try (CodecFixture codec = new CodecFixture();
        RowBatch batch = codec.parse(EVERY_TYPE, ROWS)) {
      assertThat(batch.bytes()).isEqualTo(codec.allocator.getAllocatedMemory());
    }
  }
}
