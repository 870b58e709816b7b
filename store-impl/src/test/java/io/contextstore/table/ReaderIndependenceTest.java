package io.contextstore.table;

import static io.contextstore.table.TableFixture.EPOCH;
import static io.contextstore.table.TableFixture.SCHEMA;
import static io.contextstore.table.TableFixture.filter;
import static io.contextstore.table.TableFixture.numbered;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A reader feels nothing of what is done to its table on other handles. */
@Timeout(60)
class ReaderIndependenceTest {
  @TempDir Path temp;

  @Test
  void aReaderScansAndCountsWhileAPassIsStuckInItsNativeWrite() throws InterruptedException {
    try (TableFixture table = new TableFixture(temp)) {
      table.create();
      table.merge(0, 1, numbered("k", 0, 5000));
      try (TableReader reader = table.tables.openReader(table.location);
          TableScan halfRead = reader.scan(ScanRequest.of(List.of("id")).inBatchesOf(64));
          MergePass pass = table.tables.beginMerge(table.location, EPOCH, 1);
          VectorSchemaRoot batch = table.batch(Map.of("new", 1))) {
        assertThat(halfRead.next()).isTrue();
        CountDownLatch inside = new CountDownLatch(1);
        CountDownLatch release = new CountDownLatch(1);
        Thread writer =
            Thread.ofPlatform().start(() -> pass.writeRows(SCHEMA, stuck(batch, inside, release)));
        assertThat(inside.await(30, TimeUnit.SECONDS)).isTrue();
        // The writer is inside Lance and stays there until all of this is done.
        int rows = halfRead.root().getRowCount();
        while (halfRead.next()) {
          rows += halfRead.root().getRowCount();
        }
        assertThat(rows).isEqualTo(5000);
        assertThat(reader.count(Optional.of(filter("n < 10")), Deadline.none())).isEqualTo(10);
        assertThat(TableFixture.rows(reader, Optional.of(filter("n < 10")))).hasSize(10);
        table.tables.openReader(table.location).close();
        release.countDown();
        writer.join();
        assertThat(pass.commit(2)).isInstanceOf(CommitOutcome.Committed.class);
        assertThat(reader.rowCount()).isEqualTo(5000);
      }
      assertThat(table.rows()).hasSize(5001);
    }
  }

  private static Iterator<VectorSchemaRoot> stuck(
      VectorSchemaRoot batch, CountDownLatch inside, CountDownLatch release) {
    return new Iterator<>() {
      private int calls;

      @Override
      public boolean hasNext() {
        return calls < 2;
      }

      @Override
      public VectorSchemaRoot next() {
        if (calls++ == 1) {
          inside.countDown();
          try {
            release.await();
          } catch (InterruptedException e) {
            throw new AssertionError(e);
          }
          batch.setRowCount(0);
        }
        return batch;
      }
    };
  }

  @Test
  void aReaderScansWhileItsTableIsCompactedOnAnotherHandle() throws InterruptedException {
    try (TableFixture table = new TableFixture(temp)) {
      table.create();
      for (int i = 0; i < 20; i++) {
        table.merge(i, i + 1, numbered("k" + i + "-", 0, 2000));
      }
      try (TableReader reader = table.tables.openReader(table.location)) {
        Thread compaction =
            Thread.ofPlatform().start(() -> table.onNewest(dataset -> dataset.compact()));
        int scans = 0;
        do {
          assertThat(reader.count(Optional.of(filter("n < 1000")), Deadline.none()))
              .isEqualTo(20_000);
          scans++;
        } while (compaction.isAlive());
        compaction.join();
        assertThat(scans).isPositive();
        assertThat(TableFixture.rows(reader, Optional.empty())).hasSize(40_000);
        assertThat(reader.version()).isNotZero();
      }
      assertThat(table.rows()).hasSize(40_000);
    }
  }
}
