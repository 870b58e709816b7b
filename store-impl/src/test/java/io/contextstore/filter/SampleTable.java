package io.contextstore.filter;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.contextstore.api.schema.Column;
import io.contextstore.api.schema.ColumnType;
import io.contextstore.api.schema.StoreSchema;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.BigIntVector;
import org.apache.arrow.vector.BitVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.Float4Vector;
import org.apache.arrow.vector.Float8Vector;
import org.apache.arrow.vector.IntVector;
import org.apache.arrow.vector.LargeVarBinaryVector;
import org.apache.arrow.vector.LargeVarCharVector;
import org.apache.arrow.vector.TimeStampMicroVector;
import org.apache.arrow.vector.VarCharVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.complex.FixedSizeListVector;
import org.apache.arrow.vector.complex.ListVector;
import org.apache.arrow.vector.ipc.ArrowReader;
import org.apache.arrow.vector.ipc.ArrowStreamReader;
import org.apache.arrow.vector.ipc.ArrowStreamWriter;
import org.apache.arrow.vector.types.FloatingPointPrecision;
import org.apache.arrow.vector.types.TimeUnit;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;
import org.apache.arrow.vector.types.pojo.Schema;
import org.lance.Dataset;
import org.lance.WriteParams;
import org.lance.index.IndexOptions;
import org.lance.index.IndexParams;
import org.lance.index.IndexType;
import org.lance.index.scalar.BTreeIndexParams;
import org.lance.ipc.LanceScanner;
import org.lance.ipc.ScanOptions;

/**
 * A small Lance table in memory with a column of every type, odd column names and extreme values,
 * and the same rows as Java values. Row k has the key {@code rk}; its list columns hold {@code k %
 * 3} items, k and k + 1; the last row is null but for its key.
 */
final class SampleTable implements AutoCloseable {
  /** Names that need quotes, all int64 columns that hold the number of the row. */
  static final List<String> ODD_NAMES =
      List.of(
          "Upper",
          "with space",
          "quote\"d",
          "single'q",
          "select",
          "and",
          "null",
          "雪é",
          "a\\b",
          "1start",
          "tab\tx",
          "line\nx",
          "sq[0]",
          "per%",
          "count(*)",
          "\u0001c",
          "\"",
          "\uFFFF",
          "a;b",
          "a--b",
          "/*",
          " lead",
          "trail ");

  /** A row; null where the table has null. */
  record Row(
      String id, String s, Integer i, Long n, Float f, Double d, Boolean b, Long ts, Long number) {
    /** The items of the int64 list. */
    List<Long> list() {
      return number == null ? null : numbers(number);
    }
  }

  static final List<Row> ROWS =
      List.of(
          new Row("r0", "alpha", 0, 0L, 0f, 0d, false, 0L, 0L),
          new Row("r1", "Beta", 1, 1L, 1.5f, 1.5, true, 1L, 1L),
          new Row("r2", "", -1, -1L, -1.5f, -1.5, false, -1L, 2L),
          new Row("r3", "a%b_c", 5, 5L, 0.1f, 0.1, true, 1_700_000_000_000_000L, 3L),
          new Row(
              "r4",
              "雪😀",
              Integer.MAX_VALUE,
              Long.MAX_VALUE,
              1e30f,
              1e300,
              false,
              1_700_000_000_123_456L,
              4L),
          new Row(
              "r5",
              "it's",
              Integer.MIN_VALUE,
              Long.MIN_VALUE,
              Float.NEGATIVE_INFINITY,
              -1e300,
              true,
              Long.MAX_VALUE,
              5L),
          new Row("r6", "back\\slash", 7, 7L, 16777216f, 4.5, false, Long.MIN_VALUE, 6L),
          new Row("r7", null, null, null, null, null, null, null, null));

  static final StoreSchema SCHEMA = new StoreSchema(columns());

  private static final ExecutorService PLANNERS =
      Executors.newSingleThreadExecutor(
          task -> {
            Thread thread = new Thread(null, task, "lance-planner", 16 << 20);
            thread.setDaemon(true);
            return thread;
          });

  private final BufferAllocator allocator = new RootAllocator();
  private final Dataset dataset;

  SampleTable() {
    try (VectorSchemaRoot root = VectorSchemaRoot.create(arrowSchema(), allocator)) {
      root.allocateNew();
      for (int k = 0; k < ROWS.size(); k++) {
        fill(root, k, ROWS.get(k));
      }
      root.setRowCount(ROWS.size());
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      try (ArrowStreamWriter writer = new ArrowStreamWriter(root, null, bytes)) {
        writer.start();
        writer.writeBatch();
      }
      try (ArrowStreamReader reader =
          new ArrowStreamReader(new ByteArrayInputStream(bytes.toByteArray()), allocator)) {
        dataset =
            Dataset.write()
                .allocator(allocator)
                .reader(reader)
                .uri("memory://" + UUID.randomUUID())
                .mode(WriteParams.WriteMode.CREATE)
                .execute();
      }
      index("id");
    } catch (java.io.IOException e) {
      throw new IllegalStateException(e);
    }
  }

  /** As in a store's table: filters take other ways through Lance where there is an index. */
  private void index(String column) {
    IndexParams btree =
        IndexParams.builder().setScalarIndexParams(BTreeIndexParams.builder().build()).build();
    dataset.createIndex(
        IndexOptions.builder(List.of(column), IndexType.BTREE, btree).train(true).build());
  }

  /** The keys of the rows that a filter keeps, as Lance sees it, planned on a large stack. */
  Set<String> keys(RenderedFilter filter) throws ExecutionException {
    Callable<Set<String>> scan = () -> scan(filter.sql());
    try {
      return PLANNERS.submit(scan).get();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @SuppressWarnings("try")
  private Set<String> scan(String sql) throws Exception {
    Set<String> keys = new TreeSet<>();
    ScanOptions options = new ScanOptions.Builder().columns(List.of("id")).filter(sql).build();
    try (LanceScanner scanner = dataset.newScan(options);
        ArrowReader batches = scanner.scanBatches()) {
      while (batches.loadNextBatch()) {
        VectorSchemaRoot root = batches.getVectorSchemaRoot();
        for (int i = 0; i < root.getRowCount(); i++) {
          keys.add(root.getVector(0).getObject(i).toString());
        }
      }
    }
    return keys;
  }

  /** Fails if anything leaked. */
  @Override
  public void close() {
    dataset.close();
    allocator.close();
  }

  private static List<Long> numbers(long k) {
    return switch ((int) (k % 3)) {
      case 0 -> List.of();
      case 1 -> List.of(k);
      default -> List.of(k, k + 1);
    };
  }

  private static List<Column> columns() {
    List<Column> columns = new ArrayList<>();
    columns.add(new Column("id", new ColumnType.Text(false), false));
    Map<String, ColumnType> types =
        Map.ofEntries(
            Map.entry("s", new ColumnType.Text(false)),
            Map.entry("ls", new ColumnType.Text(true)),
            Map.entry("i", new ColumnType.Int32()),
            Map.entry("n", new ColumnType.Int64()),
            Map.entry("f", new ColumnType.Float32()),
            Map.entry("d", new ColumnType.Float64()),
            Map.entry("b", new ColumnType.Bool()),
            Map.entry("casex", new ColumnType.Bool()),
            Map.entry("CASEX", new ColumnType.Int64()),
            Map.entry("ts", new ColumnType.Timestamp()),
            Map.entry("bin", new ColumnType.Binary(false)),
            Map.entry("blob", new ColumnType.Binary(true)),
            Map.entry("v", new ColumnType.Vector(2, ColumnType.Metric.L2)),
            Map.entry("li", new ColumnType.ListOf(new ColumnType.Int64())),
            Map.entry("li32", new ColumnType.ListOf(new ColumnType.Int32())),
            Map.entry("lst", new ColumnType.ListOf(new ColumnType.Text(false))),
            Map.entry("lf", new ColumnType.ListOf(new ColumnType.Float64())),
            Map.entry("lf32", new ColumnType.ListOf(new ColumnType.Float32())),
            Map.entry("lb", new ColumnType.ListOf(new ColumnType.Bool())),
            Map.entry("lts", new ColumnType.ListOf(new ColumnType.Timestamp())),
            Map.entry("lbin", new ColumnType.ListOf(new ColumnType.Binary(false))));
    types.forEach((name, type) -> columns.add(new Column(name, type, true)));
    ODD_NAMES.forEach(name -> columns.add(new Column(name, new ColumnType.Int64(), true)));
    return columns;
  }

  private static Schema arrowSchema() {
    return new Schema(SCHEMA.columns().stream().map(SampleTable::field).toList());
  }

  private static Field field(Column column) {
    return switch (column.type()) {
      case ColumnType.Vector vector ->
          new Field(
              column.name(),
              FieldType.nullable(new ArrowType.FixedSizeList(vector.dim())),
              List.of(item(new ColumnType.Float32())));
      case ColumnType.ListOf list ->
          new Field(
              column.name(), FieldType.nullable(new ArrowType.List()), List.of(item(list.item())));
      case ColumnType.Scalar scalar -> {
        Map<String, String> metadata =
            column.name().equals("id")
                ? Map.of("lance-schema:unenforced-primary-key", "true")
                : column.name().equals("blob") ? Map.of("lance-encoding:blob", "true") : Map.of();
        yield new Field(
            column.name(), new FieldType(column.nullable(), arrow(scalar), null, metadata), null);
      }
    };
  }

  private static Field item(ColumnType.Scalar type) {
    return new Field("item", FieldType.nullable(arrow(type)), null);
  }

  private static ArrowType arrow(ColumnType.Scalar type) {
    return switch (type) {
      case ColumnType.Text text -> text.large() ? new ArrowType.LargeUtf8() : new ArrowType.Utf8();
      case ColumnType.Int32 int32 -> new ArrowType.Int(32, true);
      case ColumnType.Int64 int64 -> new ArrowType.Int(64, true);
      case ColumnType.Float32 float32 -> new ArrowType.FloatingPoint(FloatingPointPrecision.SINGLE);
      case ColumnType.Float64 float64 -> new ArrowType.FloatingPoint(FloatingPointPrecision.DOUBLE);
      case ColumnType.Bool bool -> new ArrowType.Bool();
      case ColumnType.Timestamp timestamp -> new ArrowType.Timestamp(TimeUnit.MICROSECOND, null);
      case ColumnType.Binary binary -> new ArrowType.LargeBinary();
    };
  }

  private static void fill(VectorSchemaRoot root, int k, Row row) {
    ((VarCharVector) root.getVector("id")).setSafe(k, row.id().getBytes(UTF_8));
    if (row.number() == null) {
      return;
    }
    for (FieldVector vector : root.getFieldVectors()) {
      switch (vector.getName()) {
        case "id" -> {}
        case "s", "ls" -> set(vector, k, row.s());
        case "i" -> set(vector, k, row.i());
        case "n" -> set(vector, k, row.n());
        case "f" -> set(vector, k, row.f());
        case "d" -> set(vector, k, row.d());
        case "b", "casex" -> set(vector, k, row.b());
        case "ts" -> set(vector, k, row.ts());
        default -> other(vector, k, row.number());
      }
    }
  }

  private static void other(FieldVector vector, int k, long number) {
    switch (vector) {
      case FixedSizeListVector vectors -> {
        Float4Vector items = (Float4Vector) vectors.getDataVector();
        vectors.setNotNull(k);
        items.setSafe(2 * k, 1f);
        items.setSafe(2 * k + 1, 2f);
      }
      case ListVector lists -> {
        int from = lists.startNewValue(k);
        List<Long> items = numbers(number);
        for (int i = 0; i < items.size(); i++) {
          set(lists.getDataVector(), from + i, items.get(i));
        }
        lists.endValue(k, items.size());
      }
      case LargeVarBinaryVector bytes -> bytes.setSafe(k, new byte[] {(byte) number, -1});
      default -> set(vector, k, number);
    }
  }

  private static void set(FieldVector vector, int at, Object value) {
    switch (vector) {
      case VarCharVector v -> v.setSafe(at, text(value).getBytes(UTF_8));
      case LargeVarCharVector v -> v.setSafe(at, text(value).getBytes(UTF_8));
      case IntVector v -> v.setSafe(at, ((Number) value).intValue());
      case BigIntVector v -> v.setSafe(at, ((Number) value).longValue());
      case Float4Vector v -> v.setSafe(at, ((Number) value).floatValue() + half(value));
      case Float8Vector v -> v.setSafe(at, ((Number) value).doubleValue() + half(value));
      case TimeStampMicroVector v -> v.setSafe(at, ((Number) value).longValue());
      case LargeVarBinaryVector v -> v.setSafe(at, new byte[] {((Number) value).byteValue()});
      case BitVector v ->
          v.setSafe(at, value instanceof Boolean b ? (b ? 1 : 0) : (int) ((Long) value % 2));
      default -> throw new IllegalArgumentException(vector.getClass().getName());
    }
  }

  /** Items of lists of text are {@code e1}, {@code e2}, … */
  private static String text(Object value) {
    return value instanceof String text ? text : "e" + value;
  }

  /** Items of lists of floating-point numbers end in one half. */
  private static float half(Object value) {
    return value instanceof Long ? 0.5f : 0f;
  }
}
