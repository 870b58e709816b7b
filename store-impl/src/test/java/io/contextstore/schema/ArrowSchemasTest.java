package io.contextstore.schema;

import static org.assertj.core.api.Assertions.assertThat;

import io.contextstore.api.schema.Column;
import io.contextstore.api.schema.ColumnType;
import io.contextstore.api.schema.ColumnType.Metric;
import io.contextstore.api.schema.StoreSchema;
import java.util.List;
import java.util.Map;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.Schema;
import org.junit.jupiter.api.Test;

class ArrowSchemasTest {
  private static final StoreSchema SCHEMA =
      new StoreSchema(
          List.of(
              new Column("s", new ColumnType.Text(false), true),
              new Column("ls", new ColumnType.Text(true), false),
              new Column("i", new ColumnType.Int32(), true),
              new Column("l", new ColumnType.Int64(), true),
              new Column("f", new ColumnType.Float32(), true),
              new Column("d", new ColumnType.Float64(), true),
              new Column("b", new ColumnType.Bool(), true),
              new Column("t", new ColumnType.Timestamp(), true),
              new Column("x", new ColumnType.Binary(false), true),
              new Column("bx", new ColumnType.Binary(true), true),
              new Column("v", new ColumnType.Vector(8, Metric.COSINE), true),
              new Column("a", new ColumnType.ListOf(new ColumnType.Text(false)), true),
              new Column("id", new ColumnType.Text(false), false)));

  @Test
  void everyType() {
    assertThat(ArrowSchemas.rows(SCHEMA).getFields())
        .extracting(Field::toString)
        .containsExactly(
            "id: Utf8 not null",
            "s: Utf8",
            "ls: LargeUtf8 not null",
            "i: Int(32, true)",
            "l: Int(64, true)",
            "f: FloatingPoint(SINGLE)",
            "d: FloatingPoint(DOUBLE)",
            "b: Bool",
            "t: Timestamp(MICROSECOND, null)",
            "x: LargeBinary",
            "bx: LargeBinary",
            "v: FixedSizeList(8)<item: FloatingPoint(SINGLE)>",
            "a: List<item: Utf8>");
  }

  @Test
  void metadata() {
    Schema arrow = ArrowSchemas.rows(SCHEMA);
    assertThat(arrow.findField("id").getMetadata())
        .isEqualTo(Map.of("lance-schema:unenforced-primary-key", "true"));
    assertThat(arrow.findField("bx").getMetadata()).isEqualTo(Map.of("contextstore:blob", "true"));
    assertThat(arrow.findField("x").getMetadata()).isEmpty();
    assertThat(arrow.findField("v").getChildren().getFirst().isNullable()).isTrue();
  }

  @Test
  void tombstonesAreKeysOnly() {
    assertThat(ArrowSchemas.tombstones().getFields())
        .containsExactly(ArrowSchemas.rows(SCHEMA).findField("id"));
    assertThat(ArrowSchemas.tombstones().findField("id").getType())
        .isInstanceOf(ArrowType.Utf8.class);
  }
}
