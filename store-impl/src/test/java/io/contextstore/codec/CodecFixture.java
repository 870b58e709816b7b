package io.contextstore.codec;

import io.contextstore.api.schema.Column;
import io.contextstore.api.schema.ColumnType;
import io.contextstore.api.schema.ColumnType.Metric;
import io.contextstore.api.schema.StoreSchema;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;

/** What most tests here need: an allocator that complains of leaks, and JSON in and out. */
final class CodecFixture implements AutoCloseable {
  /** One column of every type, named by it. */
  static final StoreSchema EVERY_TYPE =
      schema(
          column("text", new ColumnType.Text(false)),
          column("large", new ColumnType.Text(true)),
          column("int32", new ColumnType.Int32()),
          column("int64", new ColumnType.Int64()),
          column("float32", new ColumnType.Float32()),
          column("float64", new ColumnType.Float64()),
          column("bool", new ColumnType.Bool()),
          column("timestamp", new ColumnType.Timestamp()),
          column("binary", new ColumnType.Binary(false)),
          column("blob", new ColumnType.Binary(true)),
          column("vector", new ColumnType.Vector(3, Metric.L2)),
          column("texts", new ColumnType.ListOf(new ColumnType.Text(false))),
          column("int32s", new ColumnType.ListOf(new ColumnType.Int32())),
          column("int64s", new ColumnType.ListOf(new ColumnType.Int64())),
          column("float32s", new ColumnType.ListOf(new ColumnType.Float32())),
          column("float64s", new ColumnType.ListOf(new ColumnType.Float64())),
          column("bools", new ColumnType.ListOf(new ColumnType.Bool())),
          column("timestamps", new ColumnType.ListOf(new ColumnType.Timestamp())),
          column("binaries", new ColumnType.ListOf(new ColumnType.Binary(false))));

  final BufferAllocator allocator;

  CodecFixture() {
    this(Long.MAX_VALUE);
  }

  CodecFixture(long limit) {
    allocator = new RootAllocator(limit);
  }

  static Column column(String name, ColumnType type) {
    return new Column(name, type, true);
  }

  static StoreSchema schema(Column... columns) {
    List<Column> all = new ArrayList<>(List.of(columns));
    all.add(new Column(StoreSchema.ID, new ColumnType.Text(false), false));
    return new StoreSchema(all);
  }

  static ByteArrayInputStream stream(String json) {
    return new ByteArrayInputStream(json.getBytes(StandardCharsets.UTF_8));
  }

  RowBatch parse(StoreSchema schema, String json) {
    return parse(schema, json.getBytes(StandardCharsets.UTF_8));
  }

  RowBatch parse(StoreSchema schema, byte[] json) {
    try {
      return new RowParser(schema).parse(new ByteArrayInputStream(json), allocator);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The rows with the columns named, or with all of them. */
  static String write(StoreSchema schema, RowBatch batch, String... columns) {
    List<String> names =
        columns.length > 0
            ? List.of(columns)
            : schema.columns().stream().map(Column::name).toList();
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (RowsOutput out = RowsOutput.enveloped(bytes)) {
      RowWriter.Bound rows = new RowWriter(Projection.of(schema, names)).bind(batch.root());
      for (int i = 0; i < batch.rowCount(); i++) {
        out.write(rows, i);
      }
      out.finish();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.toString(StandardCharsets.UTF_8);
  }

  /** What one value of a column comes back as, in a row of its own: the text of its members. */
  String roundTrip(StoreSchema schema, String column, String value) {
    try (RowBatch batch =
        parse(schema, "{\"rows\":[{\"id\":\"k\",\"" + column + "\":" + value + "}]}")) {
      String json = write(schema, batch, column);
      return json.substring("{\"rows\":[{".length(), json.length() - "}]}".length());
    }
  }

  /** Fails when anything was not released. */
  @Override
  public void close() {
    allocator.close();
  }
}
