package io.contextstore.codec;

import io.contextstore.api.schema.Column;
import io.contextstore.api.schema.ColumnType;
import io.contextstore.api.schema.StoreSchema;

/** The reader for each type of column. */
final class ValueReaders {
  private ValueReaders() {}

  static ValueReader of(Column column, StagingArena arena) {
    return column.name().equals(StoreSchema.ID) ? new KeyReader(arena) : of(column.type(), arena);
  }

  private static ValueReader of(ColumnType type, StagingArena arena) {
    return switch (type) {
      case ColumnType.Text text -> new TextReader(arena, text.large());
      case ColumnType.Int32 _int -> IntegerReader.int32(arena);
      case ColumnType.Int64 _int -> IntegerReader.int64(arena);
      case ColumnType.Float32 _float -> FloatReader.float32(arena);
      case ColumnType.Float64 _float -> FloatReader.float64(arena);
      case ColumnType.Bool _bool -> new BoolReader(arena);
      case ColumnType.Timestamp _time -> new TimestampReader(arena);
      case ColumnType.Binary _bytes -> new BinaryReader(arena);
      case ColumnType.Vector vector -> new VectorReader(arena, vector.dim());
      case ColumnType.ListOf list -> new ListReader(arena, of(list.item(), arena));
    };
  }
}
