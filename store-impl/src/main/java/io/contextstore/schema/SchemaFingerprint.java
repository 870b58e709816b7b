package io.contextstore.schema;

import io.contextstore.api.schema.Column;
import io.contextstore.api.schema.ColumnType;
import io.contextstore.api.schema.StoreSchema;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;

/**
 * The SHA-256 of a schema, stamped on every log segment.
 *
 * <p>It is taken over a text of our own and not over some library's serialisation, so that no
 * upgrade can change it; the text is part of the on-disk format and its first line names its
 * version. One line a column, in the store's order:
 *
 * <pre>
 * contextstore-schema-1
 * 2:id string required
 * 9:embedding vector 768 cosine optional
 * </pre>
 *
 * <p>The number before a name is its length in bytes of UTF-8, so that no name can pass for a line.
 */
public final class SchemaFingerprint {
  /** The length in bytes. */
  public static final int BYTES = 32;

  private static final String FORMAT = "contextstore-schema-1";

  private final byte[] hash;

  private SchemaFingerprint(byte[] hash) {
    this.hash = hash;
  }

  /** The fingerprint of a schema. */
  public static SchemaFingerprint of(StoreSchema schema) {
    try {
      MessageDigest sha = MessageDigest.getInstance("SHA-256");
      return new SchemaFingerprint(
          sha.digest(canonicalText(schema).getBytes(StandardCharsets.UTF_8)));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }

  /** A fingerprint read back from disk: exactly {@link #BYTES} bytes, which are copied. */
  public static SchemaFingerprint fromBytes(byte[] hash) {
    if (hash.length != BYTES) {
      throw new IllegalArgumentException("a fingerprint has 32 bytes, got " + hash.length);
    }
    return new SchemaFingerprint(hash.clone());
  }

  /** The 32 bytes, a copy. */
  public byte[] bytes() {
    return hash.clone();
  }

  static String canonicalText(StoreSchema schema) {
    StringBuilder text = new StringBuilder(FORMAT).append('\n');
    for (Column column : schema.columns()) {
      text.append(column.name().getBytes(StandardCharsets.UTF_8).length)
          .append(':')
          .append(column.name())
          .append(' ')
          .append(describe(column.type()))
          .append(column.nullable() ? " optional\n" : " required\n");
    }
    return text.toString();
  }

  /** Spelled out here rather than taken from the labels of the HTTP contract, which may grow. */
  private static String describe(ColumnType type) {
    return switch (type) {
      case ColumnType.Text text -> text.large() ? "string large" : "string";
      case ColumnType.Int32 _int -> "int32";
      case ColumnType.Int64 _int -> "int64";
      case ColumnType.Float32 _float -> "float32";
      case ColumnType.Float64 _float -> "float64";
      case ColumnType.Bool _bool -> "bool";
      case ColumnType.Timestamp _time -> "timestamp";
      case ColumnType.Binary binary -> binary.blob() ? "binary blob" : "binary";
      case ColumnType.Vector vector -> "vector " + vector.dim() + " " + describe(vector.metric());
      case ColumnType.ListOf list -> "list " + describe(list.item());
    };
  }

  private static String describe(ColumnType.Metric metric) {
    return switch (metric) {
      case L2 -> "l2";
      case COSINE -> "cosine";
      case DOT -> "dot";
    };
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof SchemaFingerprint that && Arrays.equals(hash, that.hash);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(hash);
  }

  @Override
  public String toString() {
    return HexFormat.of().formatHex(hash);
  }
}
