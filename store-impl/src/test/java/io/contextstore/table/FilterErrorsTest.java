package io.contextstore.table;

import static io.contextstore.table.TableFixture.filter;
import static io.contextstore.table.TableFixture.numbered;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FilterErrorsTest {
  @TempDir Path temp;

  @ParameterizedTest
  @ValueSource(
      strings = {
        "n > 'x'",
        "n = 5.0",
        "nosuch = 1",
        "n >",
        "n",
        "n = 99999999999999",
        "id = CAST(X'ff' AS STRING)",
        "id = CAST(X'61' AS INT)",
        "nosuch(n) = 1",
        "n / 0 = 1",
        "cast(id as int) = 3"
      })
  void aFilterThatDoesNotFitIsTheUsersFault(String sql) {
    try (TableFixture table = new TableFixture(temp)) {
      table.create();
      table.merge(0, 1, numbered("k", 0, 10));
      try (TableReader reader = table.tables.openReader(table.location)) {
        assertThatThrownBy(() -> TableFixture.rows(reader, Optional.of(filter(sql))))
            .isInstanceOfSatisfying(
                TableFilterException.class,
                e ->
                    assertThat(e.getMessage())
                        .isNotBlank()
                        .doesNotContain("/workspace", "External error", temp.toString()));
        assertThatThrownBy(() -> reader.count(Optional.of(filter(sql)), Deadline.none()))
            .isInstanceOf(TableFilterException.class);
        // The reader is none the worse.
        assertThat(TableFixture.rows(reader, Optional.of(filter("n = 3")))).hasSize(1);
      }
    }
  }

  @Test
  void missingDataIsNotTheUsersFault() throws IOException {
    try (TableFixture table = new TableFixture(temp)) {
      table.create();
      table.merge(0, 1, numbered("k", 0, 10));
      try (var files = Files.list(table.folder.resolve("data"))) {
        for (Path file : files.toList()) {
          Files.delete(file);
        }
      }
      try (TableReader reader = table.tables.openReader(table.location)) {
        assertThatThrownBy(() -> TableFixture.rows(reader, Optional.of(filter("n = 3"))))
            .isInstanceOf(TableException.class);
        assertThatThrownBy(() -> reader.count(Optional.of(filter("n = 3")), Deadline.none()))
            .isInstanceOf(TableException.class);
        assertThatThrownBy(() -> TableFixture.rows(reader, Optional.empty()))
            .isInstanceOf(TableException.class);
      }
    }
  }

  @Test
  void aDeepFilterIsPlannedOnAStackOfItsOwn() throws InterruptedException {
    // Enough to overflow the stack of an ordinary thread in native code, which ends the process.
    String sql = String.join(" OR ", java.util.Collections.nCopies(900, "n = 3"));
    try (TableFixture table = new TableFixture(temp)) {
      table.create();
      table.merge(0, 1, numbered("k", 0, 10));
      try (TableReader reader = table.tables.openReader(table.location)) {
        long[] counted = new long[1];
        Thread caller =
            Thread.ofVirtual()
                .start(
                    () -> {
                      counted[0] = reader.count(Optional.of(filter(sql)), Deadline.none());
                      try (TableScan scan =
                          reader.scan(ScanRequest.of(List.of("id")).matching(filter(sql)))) {
                        while (scan.next()) {
                          counted[0] += scan.root().getRowCount();
                        }
                      }
                    });
        caller.join();
        assertThat(counted[0]).isEqualTo(2);
      }
    }
  }
}
