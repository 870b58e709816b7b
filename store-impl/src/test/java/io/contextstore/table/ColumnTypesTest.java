package io.contextstore.table;

import static io.contextstore.table.TableFixture.EPOCH;
import static io.contextstore.table.TableFixture.filter;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.arrow.vector.BitVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.Float4Vector;
import org.apache.arrow.vector.IntVector;
import org.apache.arrow.vector.LargeVarBinaryVector;
import org.apache.arrow.vector.LargeVarCharVector;
import org.apache.arrow.vector.TimeStampMicroVector;
import org.apache.arrow.vector.VarCharVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.complex.FixedSizeListVector;
import org.apache.arrow.vector.complex.ListVector;
import org.apache.arrow.vector.types.FloatingPointPrecision;
import org.apache.arrow.vector.types.TimeUnit;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;
import org.apache.arrow.vector.types.pojo.Schema;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Values of every column type survive a merge, whole and sliced, and can be filtered in memory. */
class ColumnTypesTest {
  private static final int ROWS = 40;

  private static final ArrowType FLOAT = new ArrowType.FloatingPoint(FloatingPointPrecision.SINGLE);

  private static final Schema SCHEMA =
      new Schema(
          List.of(
              new Field("id", FieldType.notNullable(ArrowType.Utf8.INSTANCE), null),
              Field.nullable("text", ArrowType.LargeUtf8.INSTANCE),
              Field.nullable("flag", ArrowType.Bool.INSTANCE),
              Field.nullable("at", new ArrowType.Timestamp(TimeUnit.MICROSECOND, null)),
              new Field(
                  "payload",
                  new FieldType(
                      true, ArrowType.LargeBinary.INSTANCE, null, Map.of("app:blob", "true")),
                  null),
              new Field(
                  "vector",
                  FieldType.nullable(new ArrowType.FixedSizeList(3)),
                  List.of(Field.nullable("item", FLOAT))),
              new Field(
                  "tokens",
                  FieldType.nullable(ArrowType.List.INSTANCE),
                  List.of(Field.nullable("item", new ArrowType.Int(32, true))))));

  @TempDir Path temp;

  @Test
  void everyTypeSurvivesAMergeAndCanBeFilteredInMemory() {
    try (TableFixture table = new TableFixture(temp);
        VectorSchemaRoot all = batch(table);
        VectorSchemaRoot head = all.slice(0, 13);
        VectorSchemaRoot tail = all.slice(13)) {
      table.tables.create(table.location, SCHEMA, EPOCH);
      try (MergePass pass = table.tables.beginMerge(table.location, EPOCH, 0)) {
        assertThat(pass.writeRows(SCHEMA, TableFixture.iterator(head, tail))).isEqualTo(ROWS);
        assertThat(pass.commit(1)).isInstanceOf(CommitOutcome.Committed.class);
      }
      List<String> names = SCHEMA.getFields().stream().map(Field::getName).toList();
      try (TableReader reader = table.tables.openReader(table.location);
          TableScan scan = reader.scan(ScanRequest.of(names))) {
        int row = 0;
        while (scan.next()) {
          for (int i = 0; i < scan.root().getRowCount(); i++, row++) {
            for (FieldVector expected : all.getFieldVectors()) {
              assertThat(scan.root().getVector(expected.getName()).getObject(i))
                  .as("%s of row %d", expected.getName(), row)
                  .isEqualTo(expected.getObject(row));
            }
          }
        }
        assertThat(row).isEqualTo(ROWS);
      }
      try (MemoryTable memory =
          table.engine.memoryTable(SCHEMA, TableFixture.iterator(head, tail))) {
        assertThat(count(memory, "payload IS NULL")).isEqualTo(10);
        assertThat(count(memory, "flag AND text IS NOT NULL")).isEqualTo(20);
        assertThat(count(memory, "at >= to_timestamp_micros(1700000000000020)")).isEqualTo(20);
        assertThat(count(memory, "vector IS NOT NULL")).isEqualTo(30);
        assertThat(count(memory, "array_has(tokens, 6)")).isEqualTo(1);
      }
    }
  }

  private static int count(MemoryTable memory, String sql) {
    int rows = 0;
    try (TableScan scan = memory.scan(filter(sql), Deadline.none())) {
      while (scan.next()) {
        rows += scan.root().getRowCount();
      }
    }
    return rows;
  }

  /** Every fourth row has nulls in all but its id. */
  private static VectorSchemaRoot batch(TableFixture table) {
    VectorSchemaRoot batch = VectorSchemaRoot.create(SCHEMA, table.root);
    batch.getFieldVectors().forEach(FieldVector::allocateNew);
    for (int row = 0; row < ROWS; row++) {
      ((VarCharVector) batch.getVector("id")).setSafe(row, bytes("k" + row));
      ((TimeStampMicroVector) batch.getVector("at")).setSafe(row, 1_700_000_000_000_000L + row);
      if (row % 4 == 3) {
        continue;
      }
      ((LargeVarCharVector) batch.getVector("text")).setSafe(row, bytes("text 😀 " + row));
      ((BitVector) batch.getVector("flag")).setSafe(row, row % 2 == 0 ? 1 : 0);
      ((LargeVarBinaryVector) batch.getVector("payload")).setSafe(row, new byte[row * 50]);
      FixedSizeListVector vectors = (FixedSizeListVector) batch.getVector("vector");
      int first = vectors.startNewValue(row);
      for (int i = 0; i < 3; i++) {
        ((Float4Vector) vectors.getDataVector()).setSafe(first + i, row + i / 4f);
      }
      ListVector tokens = (ListVector) batch.getVector("tokens");
      int start = tokens.startNewValue(row);
      int length = row % 5;
      for (int i = 0; i < length; i++) {
        ((IntVector) tokens.getDataVector()).setSafe(start + i, i == 0 ? row : -1);
      }
      tokens.endValue(row, length);
    }
    batch.setRowCount(ROWS);
    return batch;
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
