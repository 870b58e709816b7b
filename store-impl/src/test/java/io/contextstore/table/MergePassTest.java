package io.contextstore.table;

import static io.contextstore.table.TableFixture.EPOCH;
import static io.contextstore.table.TableFixture.SCHEMA;
import static io.contextstore.table.TableFixture.numbered;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MergePassTest {
  @TempDir Path temp;

  @Test
  void addsReplacesAndDeletes() {
    try (TableFixture table = new TableFixture(temp)) {
      table.create();
      table.merge(0, 1, numbered("k", 0, 100));
      table.merge(1, 2, Map.of("k000005", 500, "new", 1), "k000007", "absent");
      Map<String, Integer> expected = numbered("k", 0, 100);
      expected.put("k000005", 500);
      expected.put("new", 1);
      expected.remove("k000007");
      assertThat(table.rows()).isEqualTo(expected);
      try (TableReader reader = table.tables.openReader(table.location)) {
        assertThat(reader.rowCount()).isEqualTo(100);
        assertThat(reader.fragmentCount()).isEqualTo(2);
      }
    }
  }

  @Test
  void aFragmentThatLosesAllRowsGoesAway() {
    try (TableFixture table = new TableFixture(temp)) {
      table.create();
      table.merge(0, 1, numbered("a", 0, 10));
      table.merge(1, 2, numbered("b", 0, 10));
      table.merge(2, 3, Map.of("c", 1), numbered("a", 0, 10).keySet().toArray(String[]::new));
      Map<String, Integer> expected = numbered("b", 0, 10);
      expected.put("c", 1);
      assertThat(table.rows()).isEqualTo(expected);
      try (TableReader reader = table.tables.openReader(table.location)) {
        assertThat(reader.fragmentCount()).isEqualTo(2);
      }
    }
  }

  @Test
  void aMergeOfNothingMovesTheWatermark() {
    try (TableFixture table = new TableFixture(temp)) {
      table.create();
      table.merge(0, 4, Map.of(), "absent");
      try (MergePass pass = table.tables.beginMerge(table.location, EPOCH, 4)) {
        assertThat(pass.commit(4)).isInstanceOf(CommitOutcome.Committed.class);
      }
      assertThat(table.rows()).isEmpty();
    }
  }

  @Test
  void everyCommitIsTheNextVersion() {
    try (TableFixture table = new TableFixture(temp)) {
      long version = table.created().reader().version();
      for (int i = 0; i < 5; i++) {
        assertThat(table.merge(i, i + 1, numbered("k", i, 3))).isEqualTo(++version);
      }
    } catch (IllegalStateException e) {
      // The reader of created() is still open: only its handle, no Arrow memory.
      throw new AssertionError("a reader holds Arrow memory", e);
    }
  }

  @Test
  void randomPassesEqualAMap() {
    long seed = System.nanoTime();
    System.out.println("MergePassTest.randomPassesEqualAMap seed " + seed);
    Random random = new Random(seed);
    Map<String, Integer> model = new TreeMap<>();
    try (TableFixture table = new TableFixture(temp)) {
      table.create();
      for (int pass = 0; pass < 30; pass++) {
        Map<String, Integer> upserts = new HashMap<>();
        for (int i = random.nextInt(40); i > 0; i--) {
          upserts.put("k" + random.nextInt(120), random.nextInt(1000));
        }
        Map<String, Integer> removals = new HashMap<>();
        for (int i = random.nextInt(30); i > 0; i--) {
          removals.put("k" + random.nextInt(120), 0);
        }
        removals.keySet().removeAll(upserts.keySet());
        table.merge(pass, pass + 1, upserts, removals.keySet().toArray(String[]::new));
        model.putAll(upserts);
        model.keySet().removeAll(removals.keySet());
        assertThat(table.rows()).as("seed %d pass %d", seed, pass).isEqualTo(model);
      }
    }
  }

  @Test
  void rowsAreStreamedOneBatchAtATime() {
    int batches = 50;
    try (TableFixture table = new TableFixture(temp)) {
      table.create();
      try (MergePass pass = table.tables.beginMerge(table.location, EPOCH, 0)) {
        Iterator<VectorSchemaRoot> source =
            new Iterator<>() {
              private int next;
              private VectorSchemaRoot present = VectorSchemaRoot.of();

              @Override
              public boolean hasNext() {
                if (next == batches) {
                  present.close();
                }
                return next < batches;
              }

              @Override
              public VectorSchemaRoot next() {
                present.close();
                present = table.batch(numbered("k", 1000 * next++, 1000));
                return present;
              }
            };
        assertThat(pass.writeRows(SCHEMA, source)).isEqualTo(1000L * batches);
        assertThat(pass.commit(1)).isInstanceOf(CommitOutcome.Committed.class);
      }
      assertThat(table.root.getPeakMemoryAllocation()).isLessThan(4 << 20);
      assertThat(table.rows()).isEqualTo(numbered("k", 0, 1000 * batches));
    }
  }

  @Test
  void aSourceThatFailsEndsThePassWithItsOwnError() {
    try (TableFixture table = new TableFixture(temp);
        VectorSchemaRoot batch = table.batch(numbered("k", 0, 10))) {
      table.create();
      try (MergePass pass = table.tables.beginMerge(table.location, EPOCH, 0)) {
        Iterator<VectorSchemaRoot> source =
            new Iterator<>() {
              private boolean first = true;

              @Override
              public boolean hasNext() {
                return true;
              }

              @Override
              public VectorSchemaRoot next() {
                if (!first) {
                  throw new IllegalStateException("the log is gone");
                }
                first = false;
                return batch;
              }
            };
        assertThatThrownBy(() -> pass.writeRows(SCHEMA, source))
            .isInstanceOf(TableException.class)
            .hasStackTraceContaining("the log is gone");
      }
      assertThat(table.rows()).isEmpty();
      table.merge(0, 1, numbered("k", 0, 10));
    }
  }

  @Test
  void aPassOnAVersionThatAnotherPassOvertookConflictsAndLeavesNoFiles() throws IOException {
    try (TableFixture table = new TableFixture(temp)) {
      table.create();
      table.merge(0, 1, numbered("k", 0, 10));
      long files;
      try (MergePass slow = table.tables.beginMerge(table.location, EPOCH, 1)) {
        table.prepare(slow, Map.of("k000001", 100), Set.of());
        table.merge(1, 2, Map.of("k000001", 200));
        files = fileCount(table.folder);
        assertThat(slow.commit(2)).isInstanceOf(CommitOutcome.Conflict.class);
        assertThat(fileCount(table.folder)).isEqualTo(files);
      }
      assertThat(fileCount(table.folder)).isEqualTo(files - 2);
      assertThat(table.rows()).hasSize(10).containsEntry("k000001", 200);
    }
  }

  @Test
  void aPassOnAVersionThatWasCompactedConflicts() {
    try (TableFixture table = new TableFixture(temp)) {
      table.create();
      table.merge(0, 1, numbered("k", 0, 10));
      table.merge(1, 2, numbered("j", 0, 10));
      try (MergePass slow = table.tables.beginMerge(table.location, EPOCH, 2)) {
        table.prepare(slow, Map.of("k000001", 100), Set.of());
        table.onNewest(dataset -> dataset.compact());
        assertThat(slow.commit(3)).isInstanceOf(CommitOutcome.Conflict.class);
      }
      assertThat(table.rows()).hasSize(20).containsEntry("k000001", 1);
    }
  }

  @Test
  void aPassThatLandsOnSomethingElseThanItReadIsUnknown() {
    try (TableFixture table = new TableFixture(temp)) {
      table.create();
      table.merge(0, 1, numbered("k", 0, 10));
      try (MergePass slow = table.tables.beginMerge(table.location, EPOCH, 1)) {
        table.prepare(slow, Map.of("new", 100), Set.of());
        table.merge(1, 2, Map.of("other", 200));
        assertThat(slow.commit(2)).isInstanceOf(CommitOutcome.Unknown.class);
      }
      // It landed all the same; the barrier keeps it.
      try (TableReader owned =
          table.tables.takeOwnership(table.location, EPOCH, SyncedVersion.NONE).reader()) {
        assertThat(owned.rowCount()).isEqualTo(12);
      }
    }
  }

  @Test
  void aCommitPreparedBeforeABarrierIsRefused() {
    try (TableFixture table = new TableFixture(temp)) {
      table.create();
      table.merge(0, 1, numbered("k", 0, 10));
      try (MergePass adds = table.tables.beginMerge(table.location, EPOCH, 1);
          MergePass replaces = table.tables.beginMerge(table.location, EPOCH, 1);
          MergePass nothing = table.tables.beginMerge(table.location, EPOCH, 1)) {
        table.prepare(adds, Map.of("new", 100), Set.of());
        table.prepare(replaces, Map.of("k000003", 100), Set.of());
        table.tables.takeOwnership(table.location, EPOCH + 1, SyncedVersion.NONE).reader().close();
        assertThat(adds.commit(2)).isInstanceOf(CommitOutcome.Conflict.class);
        assertThat(replaces.commit(2)).isInstanceOf(CommitOutcome.Conflict.class);
        assertThat(nothing.commit(2)).isInstanceOf(CommitOutcome.Conflict.class);
      }
      assertThat(table.rows()).isEqualTo(numbered("k", 0, 10));
    }
  }

  @Test
  void anOwnerThatLostTheTableCannotBegin() {
    try (TableFixture table = new TableFixture(temp)) {
      table.create();
      table.tables.takeOwnership(table.location, EPOCH + 1, SyncedVersion.NONE).reader().close();
      assertThatThrownBy(() -> table.tables.beginMerge(table.location, EPOCH, 0))
          .isInstanceOfSatisfying(
              NotOwnerException.class, e -> assertThat(e.tableEpoch()).isEqualTo(EPOCH + 1));
      assertThatThrownBy(() -> table.tables.writeFloor(table.location, EPOCH, 0))
          .isInstanceOf(NotOwnerException.class);
      // Neither after a commit that bears no epoch.
      table.onNewest(TableFixture::wipeConfig);
      assertThatThrownBy(() -> table.tables.beginMerge(table.location, EPOCH, 0))
          .isInstanceOf(NotOwnerException.class);
      table.tables.beginMerge(table.location, EPOCH + 1, 0).close();
    }
  }

  @Test
  void aMergeThatWasPlannedForAnotherWatermarkCannotBegin() {
    try (TableFixture table = new TableFixture(temp)) {
      table.create();
      table.merge(0, 5, numbered("k", 0, 10));
      assertThatThrownBy(() -> table.tables.beginMerge(table.location, EPOCH, 4))
          .isInstanceOfSatisfying(
              WatermarkMismatchException.class,
              e -> {
                assertThat(e.expected()).isEqualTo(4);
                assertThat(e.found()).isEqualTo(5);
              });
      try (MergePass pass = table.tables.beginMerge(table.location, EPOCH, 5)) {
        assertThatThrownBy(() -> pass.commit(4)).isInstanceOf(IllegalArgumentException.class);
      }
    }
  }

  @Test
  void rowsOfAnotherPassAndASecondDeletionAreRefused() {
    try (TableFixture table = new TableFixture(temp)) {
      table.create();
      table.merge(0, 1, numbered("k", 0, 10));
      try (MergePass one = table.tables.beginMerge(table.location, EPOCH, 1);
          MergePass two = table.tables.beginMerge(table.location, EPOCH, 1)) {
        FoundRows found = one.findRows((ids, row) -> true);
        assertThat(found.count()).isEqualTo(10);
        assertThatThrownBy(() -> two.deleteRows(found))
            .isInstanceOf(IllegalArgumentException.class);
        one.deleteRows(found);
        assertThatThrownBy(() -> one.deleteRows(found)).isInstanceOf(IllegalStateException.class);
      }
    }
  }

  @Test
  void anOffsetBeyondTheFragmentIsRefused() {
    try (TableFixture table = new TableFixture(temp)) {
      table.create();
      table.merge(0, 1, numbered("k", 0, 10));
      try (MergePass pass = table.tables.beginMerge(table.location, EPOCH, 1)) {
        FoundRows found = pass.findRows((ids, row) -> row == 0);
        found.add(10);
        assertThatThrownBy(() -> pass.deleteRows(found))
            .isInstanceOf(TableException.class)
            .hasMessageContaining("row 10 of fragment 0, which has 10");
      }
    }
  }

  @Test
  void aPassIsOverAfterItsCommit() {
    try (TableFixture table = new TableFixture(temp)) {
      table.create();
      try (MergePass pass = table.tables.beginMerge(table.location, EPOCH, 0)) {
        pass.commit(1);
        assertThatThrownBy(() -> pass.commit(1)).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> pass.findRows((ids, row) -> true))
            .isInstanceOf(IllegalStateException.class);
      }
    }
  }

  @Test
  void filesAreSyncedBeforeTheCommitAndTheManifestAfterIt() {
    List<String> log = Collections.synchronizedList(new ArrayList<>());
    List<Path> manifests = new ArrayList<>();
    FileSync recorder =
        path -> {
          // The folder of versions tells whether the commit has landed by now.
          String when = manifests.stream().allMatch(Files::exists) ? "after " : "before ";
          log.add(when + temp.relativize(path).toString().replaceAll("^[^/]*/?", ""));
        };
    try (TableFixture table = new TableFixture(temp, recorder, () -> {})) {
      table.create();
      table.merge(0, 1, numbered("k", 0, 10));
      try (MergePass pass = table.tables.beginMerge(table.location, EPOCH, 1)) {
        table.prepare(pass, Map.of("k000001", 100), Set.of());
        manifests.add(table.manifest(pass.readVersion() + 1));
        log.clear();
        pass.commit(2);
      }
    }
    assertThat(log).filteredOn(line -> line.startsWith("before data/")).hasSize(2);
    assertThat(log).filteredOn(line -> line.startsWith("before _deletions/")).hasSize(1);
    assertThat(log).contains("before data", "before _deletions");
    assertThat(log.indexOf("before data")).isGreaterThan(2);
    assertThat(log).filteredOn(line -> line.startsWith("after data/")).isEmpty();
    assertThat(log).filteredOn(line -> line.matches("after _versions/.*manifest")).hasSize(1);
    assertThat(log).filteredOn(line -> line.matches("after _transactions/.*txn")).hasSize(1);
    assertThat(log).contains("after _versions", "after _transactions");
  }

  @Test
  void aFailedSyncOfTheFilesCommitsNothingAndOneOfTheManifestIsUnknown() {
    String[] failing = {"nothing"};
    FileSync sync =
        path -> {
          if (path.toString().contains(failing[0])) {
            throw new IOException("no space");
          }
        };
    try (TableFixture table = new TableFixture(temp, sync, () -> {})) {
      table.create();
      try (MergePass pass = table.tables.beginMerge(table.location, EPOCH, 0)) {
        table.prepare(pass, Map.of("a", 1), Set.of());
        failing[0] = "/data/";
        assertThatThrownBy(() -> pass.commit(1)).isInstanceOf(TableException.class);
      }
      assertThat(table.rows()).isEmpty();
      failing[0] = "nothing";
      try (MergePass pass = table.tables.beginMerge(table.location, EPOCH, 0)) {
        table.prepare(pass, Map.of("a", 1), Set.of());
        failing[0] = ".manifest";
        assertThat(pass.commit(1)).isInstanceOf(CommitOutcome.Unknown.class);
      }
      failing[0] = "nothing";
      OwnedTable owned = table.tables.takeOwnership(table.location, EPOCH, SyncedVersion.NONE);
      assertThat(owned.watermark()).isEqualTo(1);
      owned.reader().close();
      assertThat(table.rows()).isEqualTo(Map.of("a", 1));
    }
  }

  private static long fileCount(Path folder) throws IOException {
    try (var files = Files.walk(folder)) {
      return files
          .filter(file -> file.toString().contains("/data/") || file.toString().contains("/_del"))
          .filter(Files::isRegularFile)
          .count();
    }
  }
}
