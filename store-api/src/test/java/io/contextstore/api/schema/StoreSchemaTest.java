package io.contextstore.api.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.contextstore.api.error.InvalidRequestException;
import io.contextstore.api.schema.ColumnType.Metric;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class StoreSchemaTest {
  private static final Column ID = new Column("id", new ColumnType.Text(false), false);

  private static Column named(String name) {
    return new Column(name, new ColumnType.Int32(), true);
  }

  private static void refused(List<Column> columns, String message) {
    assertThatExceptionOfType(InvalidRequestException.class)
        .isThrownBy(() -> new StoreSchema(columns))
        .withMessage(message);
  }

  @Test
  void idComesFirstAndTheOthersKeepTheirOrder() {
    StoreSchema schema = new StoreSchema(List.of(named("b"), named("a"), ID, named("c")));
    assertThat(schema.columns()).extracting(Column::name).containsExactly("id", "b", "a", "c");
    assertThat(schema).isEqualTo(new StoreSchema(List.of(ID, named("b"), named("a"), named("c"))));
  }

  @Test
  void columnsAreACopy() {
    List<Column> columns = new ArrayList<>(List.of(ID));
    StoreSchema schema = new StoreSchema(columns);
    columns.add(named("late"));
    assertThat(schema.columns()).containsExactly(ID);
  }

  @Test
  void byName() {
    StoreSchema schema = new StoreSchema(List.of(ID, named("a")));
    assertThat(schema.column("a")).contains(named("a"));
    assertThat(schema.column("A")).isEmpty();
  }

  @Test
  void theKeyColumn() {
    String missing = "a schema needs the column 'id', a string that is not nullable";
    String wrong = "column 'id' must be a string, not large, with \"nullable\": false";
    refused(List.of(named("a")), missing);
    refused(List.of(named("ID")), missing);
    refused(List.of(named("id")), wrong);
    refused(List.of(new Column("id", new ColumnType.Text(false), true)), wrong);
    refused(List.of(new Column("id", new ColumnType.Text(true), false)), wrong);
  }

  @Test
  void howManyColumns() {
    refused(List.of(), "a schema has 1 to 1024 columns, this one has 0");
    List<Column> columns = new ArrayList<>(List.of(ID));
    for (int i = 1; i < 1024; i++) {
      columns.add(named("c" + i));
    }
    assertThat(new StoreSchema(columns).columns()).hasSize(1024);
    columns.add(named("more"));
    refused(columns, "a schema has 1 to 1024 columns, this one has 1025");
  }

  @Test
  void namesAreUnique() {
    refused(List.of(ID, named("a"), named("a")), "column 'a' is there twice");
    refused(List.of(ID, ID), "column 'id' is there twice");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"a b", "é", "雪", "a\"b", "a'b", "SELECT", "-", "1", "a_", "\n", "a*", "ID"})
  void names(String name) {
    assertThat(new StoreSchema(List.of(ID, named(name))).column(name)).isPresent();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "_a  | column '_a': names must not start with '_'",
        "_   | column '_': names must not start with '_'",
        "😀  | a column name must not hold U+0000 or a character above U+FFFF",
        "a.b | column 'a.b': names must not hold '.' or '`' and not be '*'",
        ".   | column '.': names must not hold '.' or '`' and not be '*'",
        "`a` | column '`a`': names must not hold '.' or '`' and not be '*'",
        "*   | column '*': names must not hold '.' or '`' and not be '*'",
      })
  void notNames(String name, String message) {
    refused(List.of(ID, named(name)), message);
  }

  @Test
  void namesThatNoTableShows() {
    String characters = "a column name must not hold U+0000 or a character above U+FFFF";
    refused(List.of(ID, named("a\0")), characters);
    refused(List.of(ID, named("a\ud800")), characters);
    refused(List.of(ID, named("")), "a column name has 1 to 1024 characters, one has 0");
    new StoreSchema(List.of(ID, named("n".repeat(1024))));
    refused(
        List.of(ID, named("n".repeat(1025))),
        "a column name has 1 to 1024 characters, one has 1025");
  }

  @Test
  void options() {
    assertThatExceptionOfType(InvalidRequestException.class)
        .isThrownBy(() -> new ColumnType.Vector(0, Metric.L2))
        .withMessage("a vector needs a 'dim' from 1 to 1048576, got 0");
    assertThatExceptionOfType(InvalidRequestException.class)
        .isThrownBy(() -> new ColumnType.Vector(1048577, Metric.L2))
        .withMessage("a vector needs a 'dim' from 1 to 1048576, got 1048577");
    assertThatExceptionOfType(InvalidRequestException.class)
        .isThrownBy(() -> new ColumnType.ListOf(new ColumnType.Text(true)))
        .withMessage("the strings of a list cannot be 'large'");
    assertThatExceptionOfType(InvalidRequestException.class)
        .isThrownBy(() -> new ColumnType.ListOf(new ColumnType.Binary(true)))
        .withMessage("the bytes of a list cannot be a 'blob'");
  }
}
