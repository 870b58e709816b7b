package io.contextstore.schema;

import io.contextstore.api.schema.Column;
import io.contextstore.api.schema.ColumnType;
import io.contextstore.api.schema.StoreSchema;
import java.util.List;
import java.util.Map;
import org.apache.arrow.vector.types.FloatingPointPrecision;
import org.apache.arrow.vector.types.TimeUnit;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;
import org.apache.arrow.vector.types.pojo.Schema;

/**
 * The Arrow schemas of a store's batches. The same schema serves the request, the log, the memtable
 * and the base table, so no batch is ever converted.
 */
public final class ArrowSchemas {
  /** Field metadata of the key column, as Lance's own write path wants it. */
  public static final String PRIMARY_KEY = "lance-schema:unenforced-primary-key";

  /**
   * Field metadata of blob columns. A blob is a plain {@code LargeBinary} in the table and not
   * Lance's blob encoding, because a generation is also read through an in-memory dataset and blob
   * columns there end the process. The mark tells other readers what the column was declared as.
   */
  public static final String BLOB = "contextstore:blob";

  /** The name of the child field of vectors and lists, the same that Arrow's other writers use. */
  private static final String ITEM = "item";

  private static final Schema TOMBSTONES = new Schema(List.of(key()));

  private ArrowSchemas() {}

  /** The schema of a batch of rows: the store's columns in their order, {@code id} first. */
  public static Schema rows(StoreSchema schema) {
    return new Schema(schema.columns().stream().map(ArrowSchemas::field).toList());
  }

  /** The schema of a batch of deleted keys, the same for every store: {@code id} alone. */
  public static Schema tombstones() {
    return TOMBSTONES;
  }

  private static Field key() {
    return new Field(
        StoreSchema.ID,
        new FieldType(false, ArrowType.Utf8.INSTANCE, null, Map.of(PRIMARY_KEY, "true")),
        null);
  }

  private static Field field(Column column) {
    if (column.name().equals(StoreSchema.ID)) {
      return key();
    }
    return new Field(
        column.name(),
        new FieldType(column.nullable(), type(column.type()), null, metadata(column.type())),
        children(column.type()));
  }

  private static ArrowType type(ColumnType type) {
    return switch (type) {
      case ColumnType.Text text ->
          text.large() ? ArrowType.LargeUtf8.INSTANCE : ArrowType.Utf8.INSTANCE;
      case ColumnType.Int32 _int -> new ArrowType.Int(32, true);
      case ColumnType.Int64 _int -> new ArrowType.Int(64, true);
      case ColumnType.Float32 _float -> float32();
      case ColumnType.Float64 _float -> new ArrowType.FloatingPoint(FloatingPointPrecision.DOUBLE);
      case ColumnType.Bool _bool -> ArrowType.Bool.INSTANCE;
      case ColumnType.Timestamp _time -> new ArrowType.Timestamp(TimeUnit.MICROSECOND, null);
      case ColumnType.Binary _bytes -> ArrowType.LargeBinary.INSTANCE;
      case ColumnType.Vector vector -> new ArrowType.FixedSizeList(vector.dim());
      case ColumnType.ListOf _list -> ArrowType.List.INSTANCE;
    };
  }

  private static Map<String, String> metadata(ColumnType type) {
    return type instanceof ColumnType.Binary binary && binary.blob()
        ? Map.of(BLOB, "true")
        : Map.of();
  }

  private static List<Field> children(ColumnType type) {
    return switch (type) {
      case ColumnType.Vector _vector -> List.of(item(float32()));
      case ColumnType.ListOf list -> List.of(item(type(list.item())));
      case ColumnType.Scalar _scalar -> List.of();
    };
  }

  private static Field item(ArrowType type) {
    return new Field(ITEM, FieldType.nullable(type), null);
  }

  private static ArrowType float32() {
    return new ArrowType.FloatingPoint(FloatingPointPrecision.SINGLE);
  }
}
