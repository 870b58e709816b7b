package io.contextstore.table;

import static io.contextstore.table.TableFixture.EPOCH;
import static io.contextstore.table.TableFixture.numbered;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lance.Dataset;
import org.lance.index.IndexOptions;
import org.lance.index.IndexParams;
import org.lance.index.IndexType;
import org.lance.index.scalar.ScalarIndexParams;
import org.lance.operation.Append;
import org.lance.operation.Restore;
import org.lance.operation.UpdateConfig;
import org.lance.operation.UpdateMap;

/** Barrier, mending and watermark, with the histories that crashes and late commits leave. */
class OwnershipTest {
  @TempDir Path temp;

  @Test
  void theBarrierRestoresTheNewestVersionAndKeepsRowsAndWatermark() {
    try (TableFixture table = new TableFixture(temp)) {
      table.create();
      long merged = table.merge(0, 7, numbered("k", 0, 10));
      OwnedTable owned = take(table, EPOCH + 1);
      assertThat(owned.watermark()).isEqualTo(7);
      assertThat(owned.synced()).isEqualTo(new SyncedVersion(owned.reader().version(), 7));
      assertThat(TableFixture.rows(owned.reader(), Optional.empty()))
          .isEqualTo(numbered("k", 0, 10));
      try (Dataset barrier = table.engine.open(table.location, merged + 1)) {
        CommitRecord.Known record = (CommitRecord.Known) CommitRecord.of(barrier);
        assertThat(record.restored()).isEqualTo(OptionalLong.of(merged));
        assertThat(record.readVersion()).isEqualTo(merged);
        assertThat(record.ownerEpoch()).isEqualTo(OptionalLong.of(EPOCH + 1));
      }
    }
  }

  @Test
  void anOlderEpochCannotTakeTheTable() {
    try (TableFixture table = new TableFixture(temp)) {
      table.create();
      assertThatThrownBy(
              () -> table.tables.takeOwnership(table.location, EPOCH - 1, SyncedVersion.NONE))
          .isInstanceOf(NotOwnerException.class);
    }
  }

  @Test
  void aCommitThatLandsWhileTheBarrierIsOnItsWayIsKept() {
    try (TableFixture table = new TableFixture(temp)) {
      table.create();
      table.merge(0, 1, numbered("k", 0, 10));
      AtomicInteger opens = new AtomicInteger();
      Barrier.Placed placed =
          Barrier.place(
              () -> {
                Dataset newest = table.engine.openNewest(table.location);
                if (opens.incrementAndGet() == 1) {
                  table.merge(1, 2, Map.of("late", 1), "k000000");
                }
                return newest;
              },
              barrier(EPOCH + 1));
      assertThat(opens).hasValue(2);
      assertThat(placed.landed().version()).isEqualTo(placed.readVersion() + 1);
      Map<String, Integer> expected = numbered("k", 1, 9);
      expected.put("late", 1);
      assertThat(table.rows()).isEqualTo(expected);
      assertThat(take(table, EPOCH + 1).watermark()).isEqualTo(2);
    }
  }

  @Test
  void anOpenMendsAnUncleanRestoreThatACrashedOwnerLeft() {
    try (TableFixture table = new TableFixture(temp)) {
      table.create();
      long read = table.merge(0, 1, numbered("k", 0, 10));
      table.merge(1, 2, Map.of("late", 1), "k000000");
      // The crashed owner had read the version before, and undid the merge.
      table.commitOn(read, restore(read), barrier(EPOCH + 1));
      assertThat(table.rows()).doesNotContainKey("late");

      assertThat(take(table, EPOCH + 2).watermark()).isEqualTo(2);
      assertThat(table.rows()).containsEntry("late", 1).doesNotContainKey("k000000");
    }
  }

  @Test
  void aMendedRestoreIsNotMendedAgain() {
    try (TableFixture table = new TableFixture(temp)) {
      table.create();
      long read = table.merge(0, 1, numbered("k", 0, 10));
      long late = table.merge(1, 2, Map.of("late", 1), "k000000");
      long unclean = table.commitOn(read, restore(read), barrier(EPOCH + 1));
      // Mended, and crashed right after: this restore goes back by two, and is right.
      table.commitOn(unclean, restore(late), barrier(EPOCH + 1));
      assertThat(take(table, EPOCH + 2).watermark()).isEqualTo(2);
      assertThat(table.rows()).containsEntry("late", 1);
      // Neither at the open after that.
      assertThat(take(table, EPOCH + 3).watermark()).isEqualTo(2);
      assertThat(table.rows()).containsEntry("late", 1);
    }
  }

  @Test
  void severalOwnersAtOnceEndWithTheCommitThatNoneOfThemSaw() {
    try (TableFixture table = new TableFixture(temp)) {
      table.create();
      long read = table.merge(0, 1, numbered("k", 0, 10));
      long late = table.merge(1, 2, Map.of("late", 1), "k000000");
      // B and C both restore what they read; B mends while C's has landed already.
      long restoredByB = table.commitOn(read, restore(read), barrier(EPOCH + 1));
      table.commitOn(read, restore(read), barrier(EPOCH + 2));
      table.commitOn(restoredByB, restore(late), barrier(EPOCH + 1));
      assertThat(take(table, EPOCH + 3).watermark()).isEqualTo(2);
      assertThat(table.rows()).containsEntry("late", 1).doesNotContainKey("k000000");

      table.merge(EPOCH + 3, 2, 3, Map.of("next", 2), Set.of());
      assertThat(table.rows()).containsEntry("late", 1).containsEntry("next", 2);
    }
  }

  @Test
  void theWatermarkComesFromTheLastMerge() {
    try (TableFixture table = new TableFixture(temp)) {
      table.create();
      table.merge(0, 3, numbered("k", 0, 10));
      table.merge(3, 9, numbered("j", 0, 10));
      assertThat(read(table)).isEqualTo(9);
    }
  }

  @Test
  void theWatermarkComesFromTheFloorBelowACompaction() {
    try (TableFixture table = new TableFixture(temp)) {
      table.create();
      table.merge(0, 3, numbered("k", 0, 10));
      table.merge(3, 9, numbered("j", 0, 10));
      assertThat(table.tables.writeFloor(table.location, EPOCH, 9))
          .isInstanceOf(CommitOutcome.Committed.class);
      table.onNewest(Dataset::compact);
      assertThat(read(table)).isEqualTo(9);
      table.merge(9, 12, Map.of("x", 1));
      assertThat(read(table)).isEqualTo(12);
      assertThat(take(table, EPOCH + 1).watermark()).isEqualTo(12);
    }
  }

  @Test
  void anUnreadableCompactionIsNeverPassedOver() {
    try (TableFixture table = new TableFixture(temp)) {
      table.create();
      table.merge(0, 3, numbered("k", 0, 10));
      table.merge(3, 9, numbered("j", 0, 10));
      table.tables.writeFloor(table.location, EPOCH, 9);
      table.onNewest(OwnershipTest::index);
      table.onNewest(Dataset::compact);
      table.onNewest(
          dataset ->
              assertThat(CommitRecord.of(dataset))
                  .isInstanceOfSatisfying(
                      CommitRecord.Unreadable.class,
                      unreadable -> assertThat(unreadable.compaction()).isTrue()));
      assertThat(read(table)).isEqualTo(9);
      assertThat(take(table, EPOCH + 1).watermark()).isEqualTo(9);
      table.merge(EPOCH + 1, 9, 10, Map.of("k000001", 100), Set.of("j000001"));
      assertThat(table.rows()).hasSize(19).containsEntry("k000001", 100);
    }
  }

  @Test
  void anUnreadableCompactionWithoutAFloorStopsTheOpen() {
    try (TableFixture table = new TableFixture(temp)) {
      table.create();
      table.merge(0, 3, numbered("k", 0, 10));
      table.merge(3, 9, numbered("j", 0, 10));
      table.onNewest(OwnershipTest::index);
      table.onNewest(TableFixture::wipeConfig);
      table.onNewest(Dataset::compact);
      assertThatThrownBy(() -> take(table, EPOCH + 1)).isInstanceOf(TableDamagedException.class);

      // An engineer who knows the watermark writes the floor; what is below it no longer matters.
      Map<String, String> floor =
          Map.of(
              TableProperties.WATERMARK,
              "9",
              TableProperties.OWNER_EPOCH,
              Long.toString(EPOCH),
              TableProperties.COMMIT_KIND,
              TableProperties.KIND_FLOOR);
      long newest;
      try (TableReader reader = table.tables.openReader(table.location)) {
        newest = reader.version();
      }
      UpdateMap update = UpdateMap.builder().updates(floor).replace(false).build();
      table.commitOn(newest, UpdateConfig.builder().configUpdates(update).build(), floor);
      assertThat(take(table, EPOCH + 1).watermark()).isEqualTo(9);
    }
  }

  @Test
  void aStrangersAppendDoesNotHideTheWatermark() {
    try (TableFixture table = new TableFixture(temp)) {
      table.create();
      long merged = table.merge(0, 3, numbered("k", 0, 10));
      table.commitOn(
          merged, Append.builder().fragments(table.write(Map.of("strange", 1))).build(), Map.of());
      assertThat(read(table)).isEqualTo(3);
      table.onNewest(TableFixture::wipeConfig);
      assertThat(read(table)).isEqualTo(3);
      table.merge(3, 4, Map.of("strange", 2));
      assertThat(take(table, EPOCH + 1).watermark()).isEqualTo(4);
      assertThat(table.rows()).hasSize(11).containsEntry("strange", 2);
    }
  }

  @Test
  void aStrangersRestoreTakesTheWatermarkBackWithTheRows() {
    try (TableFixture table = new TableFixture(temp)) {
      table.create();
      long merged = table.merge(0, 3, numbered("k", 0, 10));
      long newest = table.merge(3, 5, Map.of("a", 1));
      table.commitOn(newest, restore(merged), Map.of());
      assertThat(table.rows()).hasSize(10);
      assertThat(read(table)).isEqualTo(3);
      // The user wanted it: the next owner does not mend it.
      assertThat(take(table, EPOCH + 1).watermark()).isEqualTo(3);
      assertThat(table.rows()).hasSize(10);
    }
  }

  @Test
  void aWatermarkBelowTheRememberedOneStopsTheOpen() {
    try (TableFixture table = new TableFixture(temp)) {
      table.create();
      long merged = table.merge(0, 3, numbered("k", 0, 10));
      assertThatThrownBy(
              () ->
                  table.tables.takeOwnership(
                      table.location, EPOCH + 1, new SyncedVersion(merged, 4)))
          .isInstanceOf(TableDamagedException.class)
          .hasMessageContaining("from 4 to 3");
    }
  }

  @Test
  void aCreationThatCrashedBeforeItsFloorHasWatermarkZero() {
    try (TableFixture table = new TableFixture(temp)) {
      Dataset.write()
          .allocator(table.engine.allocator())
          .uri(table.location.uri())
          .schema(TableFixture.SCHEMA)
          .execute()
          .close();
      assertThat(take(table, EPOCH).watermark()).isZero();
      table.merge(0, 1, Map.of("a", 1));
    }
  }

  @Test
  void takingATableAgainCostsNoSecondFloor() {
    try (TableFixture table = new TableFixture(temp)) {
      table.create();
      OwnedTable first = take(table, EPOCH);
      OwnedTable second = table.tables.takeOwnership(table.location, EPOCH, first.synced());
      second.reader().close();
      assertThat(second.reader().version()).isEqualTo(first.reader().version() + 1);
    }
  }

  @Test
  void whatWasNotSyncedIsSyncedByTheNewOwner() throws Exception {
    List<Path> synced = Collections.synchronizedList(new ArrayList<>());
    boolean[] recording = new boolean[1];
    FileSync sync =
        path -> {
          if (recording[0]) {
            synced.add(path);
          }
        };
    try (TableFixture table = new TableFixture(temp, sync, () -> {})) {
      table.create();
      table.merge(0, 1, numbered("k", 0, 10));
      table.merge(1, 2, Map.of("k000001", 1));
      recording[0] = true;
      take(table, EPOCH + 1);
      try (var files = Files.walk(table.folder)) {
        assertThat(synced)
            .containsAll(files.filter(file -> !file.toString().endsWith(".json")).toList());
      }
    }
  }

  private static OwnedTable take(TableFixture table, long epoch) {
    OwnedTable owned = table.tables.takeOwnership(table.location, epoch, SyncedVersion.NONE);
    table.opened.add(owned.reader());
    return owned;
  }

  private static long read(TableFixture table) {
    try (Dataset newest = table.engine.openNewest(table.location)) {
      return Watermarks.read(newest);
    }
  }

  private static Restore restore(long version) {
    return Restore.builder().version(version).build();
  }

  private static Map<String, String> barrier(long epoch) {
    return Map.of(
        TableProperties.OWNER_EPOCH,
        Long.toString(epoch),
        TableProperties.COMMIT_KIND,
        TableProperties.KIND_BARRIER);
  }

  private static void index(Dataset dataset) {
    dataset.createIndex(
        IndexOptions.builder(
                List.of("id"),
                IndexType.BTREE,
                IndexParams.builder()
                    .setScalarIndexParams(ScalarIndexParams.create("btree", "{}"))
                    .build())
            .withIndexName("id_btree")
            .build());
  }
}
