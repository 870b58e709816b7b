package io.contextstore.table;

import static io.contextstore.table.TableFixture.filter;
import static io.contextstore.table.TableFixture.numbered;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.apache.arrow.vector.IntVector;
import org.apache.arrow.vector.VarCharVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MemoryTableTest {
  @TempDir Path temp;

  private static final List<String> FILTERS =
      List.of(
          "n > 50",
          "n >= 10 AND n < 20",
          "n IS NULL",
          "tag IS NULL",
          "tag IS NOT NULL AND big > 30000",
          "tag = 'tag4'",
          "tag LIKE 'tag%' AND n BETWEEN 5 AND 45",
          "tag IN ('tag2', 'tag8')",
          "NOT (tag = 'tag4')",
          "tag <> 'tag4' OR n = 7",
          "n % 7 = 3",
          "n / 3 = 5",
          "n + big > 90090",
          "upper(tag) = 'TAG6'",
          "length(id) = 7",
          "id = CAST(X'6b303030303432' AS STRING)",
          "id > 'k000090'",
          "starts_with(id, 'k00001')",
          "true",
          "false");

  @Test
  void filtersMeanTheSameAsOnDisk() {
    Map<String, Integer> rows = numbered("k", 0, 100);
    rows.put("雪", 33);
    rows.put("😀", 44);
    try (TableFixture table = new TableFixture(temp);
        VectorSchemaRoot all = table.batch(rows);
        VectorSchemaRoot none = table.batch(Map.of());
        VectorSchemaRoot head = all.slice(0, 30);
        VectorSchemaRoot tail = all.slice(30)) {
      table.create();
      table.merge(0, 1, rows);
      try (TableReader disk = table.tables.openReader(table.location);
          MemoryTable memory =
              table.engine.memoryTable(
                  TableFixture.SCHEMA, TableFixture.iterator(none, head, none, tail))) {
        assertThat(memory.rowCount()).isEqualTo(102);
        int matches = 0;
        for (String sql : FILTERS) {
          List<Integer> ordinals = ordinals(memory, sql);
          assertThat(ordinals).isSorted();
          assertThat(ids(all, ordinals))
              .as(sql)
              .isEqualTo(TableFixture.rows(disk, Optional.of(filter(sql))).keySet());
          matches += ordinals.size();
        }
        assertThat(matches).isGreaterThan(300);
      }
    }
  }

  @Test
  void errorsOfAFilterAreTheSameAsOnDisk() {
    try (TableFixture table = new TableFixture(temp);
        VectorSchemaRoot batch = table.batch(numbered("k", 0, 10));
        MemoryTable memory =
            table.engine.memoryTable(TableFixture.SCHEMA, TableFixture.iterator(batch))) {
      for (String sql : List.of("n > 'x'", "nosuch = 1", "n / 0 = 1", "cast(id as int) = 3")) {
        assertThatThrownBy(() -> ordinals(memory, sql))
            .as(sql)
            .isInstanceOf(TableFilterException.class);
      }
    }
  }

  @Test
  void noRowsMakeATableToo() {
    try (TableFixture table = new TableFixture(temp);
        MemoryTable memory =
            table.engine.memoryTable(TableFixture.SCHEMA, Collections.emptyIterator())) {
      assertThat(memory.rowCount()).isZero();
      assertThat(ordinals(memory, "n > 3")).isEmpty();
      assertThatThrownBy(() -> ordinals(memory, "nosuch = 1"))
          .isInstanceOf(TableFilterException.class);
    }
  }

  @Test
  void theBatchesMayGoBeforeTheTable() {
    try (TableFixture table = new TableFixture(temp)) {
      MemoryTable memory;
      try (VectorSchemaRoot batch = table.batch(numbered("k", 0, 100))) {
        memory = table.engine.memoryTable(TableFixture.SCHEMA, TableFixture.iterator(batch));
      }
      assertThat(table.root.getAllocatedMemory()).isZero();
      assertThat(ordinals(memory, "n >= 98")).containsExactly(98, 99);
      memory.close();
      memory.close();
    }
  }

  private static List<Integer> ordinals(MemoryTable memory, String sql) {
    List<Integer> found = new ArrayList<>();
    try (TableScan scan = memory.scan(filter(sql), Deadline.none())) {
      while (scan.next()) {
        IntVector ordinals = MemoryTable.ordinals(scan);
        for (int row = 0; row < ordinals.getValueCount(); row++) {
          found.add(ordinals.get(row));
        }
      }
    }
    return found;
  }

  private static Set<String> ids(VectorSchemaRoot batch, List<Integer> rows) {
    VarCharVector ids = (VarCharVector) batch.getVector("id");
    Set<String> found = new TreeSet<>();
    for (int row : rows) {
      found.add(new String(ids.get(row), StandardCharsets.UTF_8));
    }
    return found;
  }
}
