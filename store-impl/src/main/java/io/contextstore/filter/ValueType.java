package io.contextstore.filter;

import io.contextstore.api.schema.ColumnType;

/** What a term of a filter yields. */
sealed interface ValueType {
  String label();

  default boolean integer() {
    return this == Scalar.INT32 || this == Scalar.INT64;
  }

  default boolean floating() {
    return this == Scalar.FLOAT32 || this == Scalar.FLOAT64;
  }

  default boolean text() {
    return this == Scalar.TEXT || this == Scalar.LARGE_TEXT;
  }

  default boolean numeric() {
    return integer() || floating();
  }

  /** One value. */
  enum Scalar implements ValueType {
    TEXT("string"),
    /** A column of large text; like the 32-bit numbers, never something computed. */
    LARGE_TEXT("string"),
    INT32("int32"),
    INT64("int64"),
    FLOAT32("float32"),
    FLOAT64("float64"),
    BOOL("bool"),
    TIMESTAMP("timestamp"),
    BINARY("binary"),
    /** The NULL literal before its surroundings give it a type. */
    NULL("null");

    private final String label;

    Scalar(String label) {
      this.label = label;
    }

    @Override
    public String label() {
      return label;
    }
  }

  /** Any number of values of one type. */
  record ListOf(Scalar item) implements ValueType {
    @Override
    public String label() {
      return "list of " + item.label();
    }
  }

  /** Values of which a filter can only ask whether they are there. */
  record Opaque(String label) implements ValueType {}

  /** The type of a column. */
  static ValueType of(ColumnType type) {
    return switch (type) {
      case ColumnType.Binary binary -> binary.blob() ? new Opaque("blob") : scalar(binary);
      case ColumnType.Scalar scalar -> scalar(scalar);
      case ColumnType.ListOf list -> new ListOf(scalar(list.item()));
      case ColumnType.Vector vector -> new Opaque(vector.label());
    };
  }

  private static Scalar scalar(ColumnType.Scalar type) {
    return switch (type) {
      case ColumnType.Text text -> text.large() ? Scalar.LARGE_TEXT : Scalar.TEXT;
      case ColumnType.Int32 int32 -> Scalar.INT32;
      case ColumnType.Int64 int64 -> Scalar.INT64;
      case ColumnType.Float32 float32 -> Scalar.FLOAT32;
      case ColumnType.Float64 float64 -> Scalar.FLOAT64;
      case ColumnType.Bool bool -> Scalar.BOOL;
      case ColumnType.Timestamp timestamp -> Scalar.TIMESTAMP;
      case ColumnType.Binary binary -> Scalar.BINARY;
    };
  }
}
