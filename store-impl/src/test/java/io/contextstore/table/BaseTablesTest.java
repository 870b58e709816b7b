package io.contextstore.table;

import static io.contextstore.table.TableFixture.filter;
import static io.contextstore.table.TableFixture.idIs;
import static io.contextstore.table.TableFixture.numbered;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BaseTablesTest {
  @TempDir Path temp;

  @Test
  void aNewTableIsEmptyAndCanBeScannedAndCounted() {
    try (TableFixture table = new TableFixture(temp)) {
      long version = table.tables.create(table.location, TableFixture.SCHEMA, 1);
      try (TableReader reader = table.tables.openReader(table.location)) {
        assertThat(reader.version()).isEqualTo(version);
        assertThat(reader.rowCount()).isZero();
        assertThat(reader.fragmentCount()).isZero();
        assertThat(reader.uri()).isEqualTo(table.folder.toString());
        assertThat(reader.count(Optional.of(filter("n > 3")), Deadline.none())).isZero();
        assertThat(TableFixture.rows(reader, Optional.empty())).isEmpty();
        assertThat(TableFixture.rows(reader, Optional.of(filter("n > 3")))).isEmpty();
        ScanRequest addresses = ScanRequest.of(List.of("id")).withRowAddress().limitedTo(7);
        try (TableScan scan = reader.scan(addresses)) {
          assertThat(scan.next()).isFalse();
        }
      }
    }
  }

  @Test
  void aTableIsNotCreatedOverAnother() {
    try (TableFixture table = new TableFixture(temp)) {
      table.create();
      table.merge(0, 1, numbered("k", 0, 3));
      assertThatThrownBy(() -> table.tables.create(table.location, TableFixture.SCHEMA, 1))
          .isInstanceOf(TableException.class)
          .hasMessageContaining("creating table");
      assertThat(table.rows()).hasSize(3);
    }
  }

  @Test
  void everyFileAndFolderOfANewTableIsSynced() throws IOException {
    List<Path> synced = Collections.synchronizedList(new ArrayList<>());
    try (TableFixture table = new TableFixture(temp, synced::add, () -> {})) {
      table.tables.create(table.location, TableFixture.SCHEMA, 1);
      try (var files = Files.walk(table.folder)) {
        assertThat(synced)
            .containsAll(files.filter(file -> !file.toString().endsWith(".json")).toList());
      }
      assertThat(synced).contains(table.folder.getParent());
    }
  }

  @Test
  void anOldVersionStaysReadable() {
    try (TableFixture table = new TableFixture(temp)) {
      table.create();
      long first = table.merge(0, 1, numbered("k", 0, 10));
      table.merge(1, 2, numbered("k", 0, 5), "k000009");
      try (TableReader old = table.tables.openReader(table.location, first)) {
        assertThat(old.rowCount()).isEqualTo(10);
        assertThat(TableFixture.rows(old, Optional.empty())).isEqualTo(numbered("k", 0, 10));
      }
      assertThat(table.rows()).isEqualTo(numbered("k", 0, 9));
    }
  }

  @Test
  void aMissingTableAndAMissingVersionAreTableErrors() {
    try (TableFixture table = new TableFixture(temp)) {
      assertThatThrownBy(() -> table.tables.openReader(table.location))
          .isInstanceOf(TableException.class);
      table.create();
      assertThatThrownBy(() -> table.tables.openReader(table.location, 99))
          .isInstanceOf(TableException.class);
      assertThatThrownBy(
              () ->
                  table.tables.takeOwnership(
                      TableLocation.local(temp.resolve("no.lance")), 1, SyncedVersion.NONE))
          .isInstanceOf(TableDamagedException.class);
    }
  }

  @Test
  void scansHonourColumnsLimitBatchSizeAndAddresses() {
    try (TableFixture table = new TableFixture(temp)) {
      table.create();
      table.merge(0, 1, numbered("k", 0, 100));
      try (TableReader reader = table.tables.openReader(table.location)) {
        ScanRequest request =
            ScanRequest.of(List.of("n")).withRowAddress().inBatchesOf(8).limitedTo(20);
        int rows = 0;
        try (TableScan scan = reader.scan(request)) {
          while (scan.next()) {
            assertThat(scan.root().getRowCount()).isBetween(1, 8);
            assertThat(scan.root().getFieldVectors())
                .extracting(vector -> vector.getName())
                .containsExactly("n", "_rowaddr");
            rows += scan.root().getRowCount();
          }
          assertThat(scan.next()).isFalse();
        }
        assertThat(rows).isEqualTo(20);
        try (TableScan none = reader.scan(ScanRequest.of(List.of("n")).limitedTo(0))) {
          assertThat(none.next()).isFalse();
        }
        assertThatThrownBy(() -> reader.scan(ScanRequest.of(List.of("nosuch"))))
            .isInstanceOf(IllegalArgumentException.class);
      }
    }
  }

  @Test
  void aScanMayBeClosedHalfReadAndTwice() {
    try (TableFixture table = new TableFixture(temp)) {
      table.create();
      table.merge(0, 1, numbered("k", 0, 100));
      try (TableReader reader = table.tables.openReader(table.location)) {
        TableScan scan = reader.scan(ScanRequest.of(List.of("id", "tag")).inBatchesOf(3));
        assertThat(scan.next()).isTrue();
        scan.close();
        scan.close();
      }
    }
  }

  @Test
  void keysOfEveryKindAreFoundByTheirBytes() {
    Map<String, Integer> rows = new LinkedHashMap<>();
    int n = 0;
    for (String id :
        List.of("o'brien", "\"q\"", "a;b--c", "雪", "😀", "back\\slash", "%_", "a b\n", "X'61'")) {
      rows.put(id, n++);
    }
    try (TableFixture table = new TableFixture(temp)) {
      table.create();
      table.merge(0, 1, rows);
      try (TableReader reader = table.tables.openReader(table.location)) {
        for (Map.Entry<String, Integer> row : rows.entrySet()) {
          assertThat(TableFixture.rows(reader, Optional.of(idIs(row.getKey()))))
              .isEqualTo(Map.of(row.getKey(), row.getValue()));
        }
      }
      table.merge(1, 2, Map.of("😀", 77), "雪", "o'brien");
      assertThat(table.rows()).hasSize(7).containsEntry("😀", 77);
    }
  }

  @Test
  void everyOperationAsksTheHookFirst() {
    class Forbidden extends RuntimeException {
      private static final long serialVersionUID = 1L;
    }
    boolean[] forbidden = new boolean[1];
    Runnable hook =
        () -> {
          if (forbidden[0]) {
            throw new Forbidden();
          }
        };
    try (TableFixture table = new TableFixture(temp, FileSync.FORCE, hook)) {
      table.create();
      table.merge(0, 1, numbered("k", 0, 10));
      try (TableReader reader = table.tables.openReader(table.location);
          TableScan scan = reader.scan(ScanRequest.of(List.of("id")));
          var batch = table.batch(numbered("k", 0, 1));
          MergePass pass = table.tables.beginMerge(table.location, TableFixture.EPOCH, 1);
          MemoryTable memory =
              table.engine.memoryTable(TableFixture.SCHEMA, TableFixture.iterator(batch))) {
        FoundRows found = pass.findRows((ids, row) -> false);
        forbidden[0] = true;
        List<Runnable> operations =
            List.of(
                () -> table.tables.create(table.location, TableFixture.SCHEMA, 1),
                () -> table.tables.openReader(table.location),
                () -> table.tables.openReader(table.location, 1),
                () -> table.tables.takeOwnership(table.location, 9, SyncedVersion.NONE),
                () -> table.tables.beginMerge(table.location, TableFixture.EPOCH, 1),
                () -> table.tables.writeFloor(table.location, TableFixture.EPOCH, 1),
                () -> reader.scan(ScanRequest.of(List.of("id"))),
                () -> reader.count(Optional.of(filter("n > 1")), Deadline.none()),
                reader::close,
                scan::next,
                scan::close,
                () -> pass.findRows((ids, row) -> false),
                () -> pass.deleteRows(found),
                () -> pass.writeRows(TableFixture.SCHEMA, TableFixture.iterator(batch)),
                () -> pass.commit(2),
                pass::close,
                () -> memory.scan(filter("n > 1"), Deadline.none()),
                memory::close,
                () -> table.engine.memoryTable(TableFixture.SCHEMA, TableFixture.iterator(batch)));
        for (Runnable operation : operations) {
          assertThatThrownBy(operation::run).isInstanceOf(Forbidden.class);
        }
        // Memory only, so allowed anywhere.
        assertThat(reader.rowCount()).isEqualTo(10);
        assertThat(reader.count(Optional.empty(), Deadline.none())).isEqualTo(10);
        forbidden[0] = false;
      }
    }
  }
}
