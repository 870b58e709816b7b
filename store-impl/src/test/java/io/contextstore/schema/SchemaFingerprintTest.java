package io.contextstore.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.contextstore.api.schema.Column;
import io.contextstore.api.schema.ColumnType;
import io.contextstore.api.schema.ColumnType.Metric;
import io.contextstore.api.schema.StoreSchema;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class SchemaFingerprintTest {
  private static final Column ID = new Column("id", new ColumnType.Text(false), false);

  private static StoreSchema schema(Column... columns) {
    return new StoreSchema(Stream.concat(Stream.of(ID), Stream.of(columns)).toList());
  }

  /** Part of the on-disk format: if this test fails, the logs of every user are refused. */
  @Test
  void neverChanges() {
    StoreSchema schema =
        schema(
            new Column("é", new ColumnType.Text(true), true),
            new Column("embedding", new ColumnType.Vector(768, Metric.COSINE), false),
            new Column("tags", new ColumnType.ListOf(new ColumnType.Text(false)), true),
            new Column("data", new ColumnType.Binary(true), true),
            new Column("at", new ColumnType.Timestamp(), true));
    assertThat(SchemaFingerprint.canonicalText(schema))
        .isEqualTo(
            """
            contextstore-schema-1
            2:id string required
            2:é string large optional
            9:embedding vector 768 cosine required
            4:tags list string optional
            4:data binary blob optional
            2:at timestamp optional
            """);
    assertThat(SchemaFingerprint.of(schema))
        .hasToString("07b0437b003ee566c85424dacb9f686ddb0447d03dd4ed5848fa7a3fc7fa2299");
  }

  @Test
  void everyDifferenceCounts() {
    List<ColumnType> types =
        List.of(
            new ColumnType.Text(false),
            new ColumnType.Text(true),
            new ColumnType.Int32(),
            new ColumnType.Int64(),
            new ColumnType.Float32(),
            new ColumnType.Float64(),
            new ColumnType.Bool(),
            new ColumnType.Timestamp(),
            new ColumnType.Binary(false),
            new ColumnType.Binary(true),
            new ColumnType.Vector(2, Metric.L2),
            new ColumnType.Vector(3, Metric.L2),
            new ColumnType.Vector(2, Metric.COSINE),
            new ColumnType.Vector(2, Metric.DOT),
            new ColumnType.ListOf(new ColumnType.Int32()),
            new ColumnType.ListOf(new ColumnType.Int64()));
    List<StoreSchema> schemas = new ArrayList<>();
    for (ColumnType type : types) {
      schemas.add(schema(new Column("a", type, true)));
      schemas.add(schema(new Column("a", type, false)));
      schemas.add(schema(new Column("b", type, true)));
    }
    Column one = new Column("one", new ColumnType.Int32(), true);
    Column two = new Column("two", new ColumnType.Int32(), true);
    schemas.add(schema(one, two));
    schemas.add(schema(two, one));
    // A name that spells out another column's line.
    schemas.add(schema(new Column("one int32 optional\n3:two", new ColumnType.Int32(), true)));
    assertThat(schemas.stream().map(SchemaFingerprint::of).distinct()).hasSameSizeAs(schemas);
  }

  @Test
  void bytesAndBack() {
    SchemaFingerprint fingerprint = SchemaFingerprint.of(schema());
    assertThat(fingerprint.bytes()).hasSize(SchemaFingerprint.BYTES);
    assertThat(SchemaFingerprint.fromBytes(fingerprint.bytes()))
        .isEqualTo(fingerprint)
        .hasSameHashCodeAs(fingerprint);
    fingerprint.bytes()[0]++;
    assertThat(SchemaFingerprint.of(schema())).isEqualTo(fingerprint);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> SchemaFingerprint.fromBytes(new byte[31]));
  }
}
