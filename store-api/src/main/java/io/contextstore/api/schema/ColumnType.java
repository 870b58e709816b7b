package io.contextstore.api.schema;

import io.contextstore.api.error.InvalidRequestException;

/** The type of a column. Only {@link ListOf} and {@link Vector} hold several values. */
public sealed interface ColumnType {
  /** The name used in a schema's JSON form. */
  String label();

  /** A type that holds one value and may be the item of a list. */
  sealed interface Scalar extends ColumnType {}

  /** UTF-8 text; {@code large} columns may hold more than 2 GiB a batch. */
  record Text(boolean large) implements Scalar {
    @Override
    public String label() {
      return "string";
    }
  }

  /** 32-bit signed integer. */
  record Int32() implements Scalar {
    @Override
    public String label() {
      return "int32";
    }
  }

  /** 64-bit signed integer. */
  record Int64() implements Scalar {
    @Override
    public String label() {
      return "int64";
    }
  }

  /** IEEE 754 single precision. */
  record Float32() implements Scalar {
    @Override
    public String label() {
      return "float32";
    }
  }

  /** IEEE 754 double precision. */
  record Float64() implements Scalar {
    @Override
    public String label() {
      return "float64";
    }
  }

  /** True or false. */
  record Bool() implements Scalar {
    @Override
    public String label() {
      return "bool";
    }
  }

  /** Microseconds since 1970-01-01T00:00:00 UTC, without a zone. */
  record Timestamp() implements Scalar {
    @Override
    public String label() {
      return "timestamp";
    }
  }

  /** Bytes; a {@code blob} column is read only when asked for by name. */
  record Binary(boolean blob) implements Scalar {
    @Override
    public String label() {
      return "binary";
    }
  }

  /** Exactly {@code dim} single-precision numbers, compared by {@code metric}. */
  record Vector(int dim, Metric metric) implements ColumnType {
    /** The most dimensions; a null vector takes as much room as any other. */
    public static final int MAX_DIM = 1 << 20;

    /** Checks the dimension. */
    public Vector {
      if (dim < 1 || dim > MAX_DIM) {
        throw new InvalidRequestException(
            "a vector needs a 'dim' from 1 to " + MAX_DIM + ", got " + dim);
      }
    }

    @Override
    public String label() {
      return "vector";
    }
  }

  /** Any number of values of one scalar type, which has no options of its own. */
  record ListOf(Scalar item) implements ColumnType {
    /** Refuses items that the JSON form could not name. */
    public ListOf {
      if (item instanceof Text text && text.large()) {
        throw new InvalidRequestException("the strings of a list cannot be 'large'");
      }
      if (item instanceof Binary binary && binary.blob()) {
        throw new InvalidRequestException("the bytes of a list cannot be a 'blob'");
      }
    }

    @Override
    public String label() {
      return "list";
    }
  }

  /** How vectors are compared. */
  enum Metric {
    L2("l2"),
    COSINE("cosine"),
    DOT("dot");

    private final String label;

    Metric(String label) {
      this.label = label;
    }

    /** The name used in a schema's JSON form. */
    public String label() {
      return label;
    }
  }
}
