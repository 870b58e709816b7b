package io.contextstore.codec;

import static io.contextstore.codec.CodecFixture.EVERY_TYPE;
import static io.contextstore.codec.CodecFixture.column;
import static io.contextstore.codec.CodecFixture.schema;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.contextstore.api.error.InvalidRequestException;
import io.contextstore.api.schema.ColumnType;
import io.contextstore.api.schema.ColumnType.Metric;
import io.contextstore.api.schema.StoreSchema;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.apache.arrow.vector.Float4Vector;
import org.apache.arrow.vector.Float8Vector;
import org.apache.arrow.vector.LargeVarCharVector;
import org.apache.arrow.vector.TimeStampMicroTZVector;
import org.apache.arrow.vector.VarBinaryVector;
import org.apache.arrow.vector.VarCharVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.complex.FixedSizeListVector;
import org.apache.arrow.vector.complex.ListVector;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class RowWriterTest {
  private final CodecFixture codec = new CodecFixture();

  @AfterEach
  void nothingLeaks() {
    codec.close();
  }

  @Test
  void nanAndInfinityAreNullAndNullsAreLeftOut() {
    StoreSchema schema =
        schema(
            column("f", new ColumnType.Float32()),
            column("d", new ColumnType.Float64()),
            column("v", new ColumnType.Vector(3, Metric.L2)),
            column("l", new ColumnType.ListOf(new ColumnType.Float64())));
    String json =
        "{\"rows\":[{\"id\":\"a\",\"f\":1,\"d\":1,\"v\":[1,2,3],\"l\":[1,null,3]},{\"id\":\"b\"}]}";
    try (RowBatch batch = codec.parse(schema, json)) {
      ((Float4Vector) batch.root().getVector("f")).set(0, Float.NaN);
      ((Float8Vector) batch.root().getVector("d")).set(0, Double.NEGATIVE_INFINITY);
      FixedSizeListVector vector = (FixedSizeListVector) batch.root().getVector("v");
      ((Float4Vector) vector.getDataVector()).set(1, Float.POSITIVE_INFINITY);
      ListVector list = (ListVector) batch.root().getVector("l");
      ((Float8Vector) list.getDataVector()).set(0, Double.NaN);
      assertThat(CodecFixture.write(schema, batch))
          .isEqualTo(
              "{\"rows\":[{\"id\":\"a\",\"f\":null,\"d\":null,\"v\":[1.0,null,3.0],"
                  + "\"l\":[null,null,3.0]},{\"id\":\"b\"}]}");
    }
  }

  @Test
  void columnsComeInTheOrderAskedFor() {
    try (RowBatch batch =
        codec.parse(EVERY_TYPE, "{\"rows\":[{\"id\":\"a\",\"text\":\"x\",\"bool\":true}]}")) {
      assertThat(CodecFixture.write(EVERY_TYPE, batch, "bool", "int32", "id"))
          .isEqualTo("{\"rows\":[{\"bool\":true,\"id\":\"a\"}]}");
    }
  }

  @Test
  void projections() {
    assertThat(Projection.of(EVERY_TYPE, List.of()).names())
        .startsWith("id", "text", "large")
        .doesNotContain("blob")
        .hasSize(EVERY_TYPE.columns().size() - 1);
    assertThat(Projection.of(EVERY_TYPE, List.of("blob", "id")).names())
        .containsExactly("blob", "id");
    assertThatThrownBy(() -> Projection.of(EVERY_TYPE, List.of("id", "ID")))
        .isInstanceOf(InvalidRequestException.class)
        .hasMessage("the store has no column 'ID'");
    assertThatThrownBy(() -> Projection.of(EVERY_TYPE, List.of("id", "bool", "id")))
        .isInstanceOf(InvalidRequestException.class)
        .hasMessage("column 'id' is asked for twice");
  }

  @Test
  void oneRowBare() throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (RowBatch batch =
            codec.parse(EVERY_TYPE, "{\"rows\":[{\"id\":\"a\"},{\"id\":\"b\",\"int32\":7}]}");
        RowsOutput out = RowsOutput.bare(bytes)) {
      out.write(new RowWriter(Projection.of(EVERY_TYPE, List.of())).bind(batch.root()), 1);
      out.finish();
    }
    assertThat(bytes.toString(StandardCharsets.UTF_8)).isEqualTo("{\"id\":\"b\",\"int32\":7}");
  }

  @Test
  void anAnswerThatWasNotFinishedDoesNotLookComplete() throws IOException {
    boolean[] touched = {false};
    ByteArrayOutputStream bytes =
        new ByteArrayOutputStream() {
          @Override
          public void flush() {
            touched[0] = true;
          }

          @Override
          public void close() {
            touched[0] = true;
          }
        };
    try (RowBatch batch = codec.parse(EVERY_TYPE, "{\"rows\":[{\"id\":\"a\"}]}");
        RowsOutput out = RowsOutput.enveloped(bytes)) {
      out.write(new RowWriter(Projection.of(EVERY_TYPE, List.of())).bind(batch.root()), 0);
    }
    assertThat(bytes.toString(StandardCharsets.UTF_8)).doesNotContain("]").doesNotEndWith("}}");
    assertThat(touched[0]).isFalse();
  }

  /** A scan may deliver the other width of offsets, or a zone, and more columns than asked for. */
  @Test
  void batchesThatWereNotMadeHere() throws IOException {
    StoreSchema schema =
        schema(
            column("s", new ColumnType.Text(false)),
            column("b", new ColumnType.Binary(false)),
            column("t", new ColumnType.Timestamp()));
    try (VarCharVector extra = new VarCharVector("_rowid", codec.allocator);
        LargeVarCharVector text = new LargeVarCharVector("s", codec.allocator);
        VarBinaryVector binary = new VarBinaryVector("b", codec.allocator);
        TimeStampMicroTZVector time = new TimeStampMicroTZVector("t", codec.allocator, "UTC");
        VarCharVector id = new VarCharVector("id", codec.allocator)) {
      text.setSafe(0, "é".getBytes(StandardCharsets.UTF_8));
      binary.setSafe(0, new byte[] {1});
      time.setSafe(0, -7);
      id.setSafe(0, new byte[] {'k'});
      for (var vector : List.of(extra, text, binary, time, id)) {
        vector.setValueCount(1);
      }
      VectorSchemaRoot root = new VectorSchemaRoot(List.of(extra, text, binary, time, id));
      root.setRowCount(1);
      assertThat(CodecFixture.write(schema, new RowBatch(root, 0)))
          .isEqualTo("{\"rows\":[{\"id\":\"k\",\"s\":\"é\",\"b\":\"AQ==\",\"t\":-7}]}");
    }
  }

  @Test
  void aBatchWithoutTheColumn() {
    StoreSchema other = schema(column("other", new ColumnType.Int32()));
    try (RowBatch batch = codec.parse(EVERY_TYPE, "{\"rows\":[]}")) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> CodecFixture.write(other, batch))
          .withMessage("the batch has no column 'other'");
    }
  }
}
