package io.contextstore.table;

import static io.contextstore.table.TableFixture.EPOCH;
import static io.contextstore.table.TableFixture.numbered;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.lance.Dataset;
import org.lance.index.Index;
import org.lance.index.IndexOptions;
import org.lance.index.IndexParams;
import org.lance.index.IndexType;
import org.lance.index.scalar.ScalarIndexParams;

/** The index on the key column: when it is built, what it covers, what a crash leaves of it. */
class IndexUpkeepTest {
  private static final IndexLimits LIMITS = new IndexLimits(100, 2, 100);

  @TempDir Path temp;

  @Test
  void isMadeOnceATableHasEnoughRows() {
    try (TableFixture table = new TableFixture(temp)) {
      table.create();
      long small = table.merge(0, 1, numbered("k", 0, 99));
      assertThat(upkeep(table, 1)).isInstanceOf(IndexOutcome.NotDue.class);
      assertThat(newestVersion(table)).isEqualTo(small);
      long before = table.merge(1, 2, numbered("k", 99, 1));
      assertThat(state(table)).isEqualTo(new IndexState(0, 2, 0, 100));

      // The floor, then the index.
      assertThat(upkeep(table, 2)).isEqualTo(new IndexOutcome.Done(before + 2));
      assertThat(newestVersion(table)).isEqualTo(before + 2);
      assertThat(state(table)).isEqualTo(new IndexState(2, 0, 100, 0));
      assertThat(table.rows()).isEqualTo(numbered("k", 0, 100));
      assertThat(upkeep(table, 2)).isInstanceOf(IndexOutcome.NotDue.class);
    }
  }

  @Test
  void isBroughtUpToDateWhenItLeavesOutTooManyFragments() {
    try (TableFixture table = new TableFixture(temp)) {
      table.create();
      table.merge(0, 1, numbered("k", 0, 100));
      upkeep(table, 1);
      table.merge(1, 2, numbered("l", 0, 3), "k000000");
      table.merge(2, 3, numbered("m", 0, 3), "l000001");
      assertThat(state(table)).isEqualTo(new IndexState(1, 2, 99, 5));
      assertThat(upkeep(table, 3)).isInstanceOf(IndexOutcome.NotDue.class);
      table.merge(3, 4, numbered("n", 0, 1));
      assertThat(upkeep(table, 4)).isInstanceOf(IndexOutcome.Done.class);
      assertThat(state(table)).isEqualTo(new IndexState(4, 0, 105, 0));
      try (TableReader reader = table.tables.openReader(table.location)) {
        assertThat(TableFixture.rows(reader, Optional.of(TableFixture.idIs("l000001")))).isEmpty();
        assertThat(TableFixture.rows(reader, Optional.of(TableFixture.idIs("n000000")))).hasSize(1);
      }
      table.onNewest(dataset -> assertThat(KeyIndex.segments(dataset)).hasSize(1));
    }
  }

  @Test
  void isBroughtUpToDateWhenItLeavesOutTooManyRows() {
    IndexLimits limits = new IndexLimits(100, 100, 5);
    assertThat(limits.isDue(new IndexState(1, 1, 95, 5))).isFalse();
    assertThat(limits.isDue(new IndexState(1, 1, 94, 6))).isTrue();
    assertThat(limits.isDue(new IndexState(1, 0, 0, 0))).isFalse();
  }

  @Test
  void theWatermarkShowsThroughAnIndexCommit() {
    try (TableFixture table = new TableFixture(temp)) {
      table.create();
      table.merge(0, 7, numbered("k", 0, 100));
      upkeep(table, 7);
      OwnedTable owned = take(table, EPOCH + 1, SyncedVersion.NONE);
      assertThat(owned.watermark()).isEqualTo(7);
      assertThat(owned.reader().indexState()).isEqualTo(new IndexState(1, 0, 100, 0));
      // And the next merge of the same owner sees it as well.
      assertThat(table.merge(EPOCH + 1, 7, 8, Map.of("a", 1), Set.of("k000000")))
          .isInstanceOf(CommitOutcome.Committed.class);
      assertThat(take(table, EPOCH + 2, SyncedVersion.NONE).watermark()).isEqualTo(8);
    }
  }

  @Test
  void theWatermarkShowsThroughAnIndexCommitWhenOldVersionsAreGone() {
    try (TableFixture table = new TableFixture(temp)) {
      table.create();
      table.merge(0, 7, numbered("k", 0, 100));
      IndexOutcome.Done done = (IndexOutcome.Done) upkeep(table, 7);
      for (long version = 1; version < done.version(); version++) {
        assertThat(table.manifest(version).toFile().delete()).isTrue();
      }
      assertThat(take(table, EPOCH + 1, SyncedVersion.NONE).watermark()).isEqualTo(7);
    }
  }

  @Test
  void aStrangerOrAnOldOwnerWritesNoIndex() {
    try (TableFixture table = new TableFixture(temp)) {
      table.create();
      long version = table.merge(0, 1, numbered("k", 0, 100));
      assertThatThrownBy(() -> table.tables.upkeepIndex(table.location, EPOCH - 1, 1, LIMITS))
          .isInstanceOf(NotOwnerException.class);
      assertThatThrownBy(() -> table.tables.upkeepIndex(table.location, EPOCH, 2, LIMITS))
          .isInstanceOf(WatermarkMismatchException.class);
      assertThat(newestVersion(table)).isEqualTo(version);
    }
  }

  @Test
  void aCrashBetweenFloorAndIndexLeavesATableThatIsIndexedNextTime() {
    try (TableFixture table = new TableFixture(temp)) {
      table.create();
      table.merge(0, 3, numbered("k", 0, 100));
      table.tables.writeFloor(table.location, EPOCH, 3);
    }
    try (TableFixture table = new TableFixture(temp)) {
      assertThat(take(table, EPOCH + 1, SyncedVersion.NONE).watermark()).isEqualTo(3);
      assertThat(table.tables.upkeepIndex(table.location, EPOCH + 1, 3, LIMITS))
          .isInstanceOf(IndexOutcome.Done.class);
      assertThat(state(table).isIndexed()).isTrue();
      assertThat(table.rows()).isEqualTo(numbered("k", 0, 100));
    }
  }

  enum Tear {
    GONE,
    EMPTY,
    CUT_OFF,
    ZEROS_AT_THE_END
  }

  @ParameterizedTest
  @EnumSource
  void anIndexThatDidNotReachTheDiskCostsItsVersionAndNoRow(Tear tear) throws IOException {
    int files;
    try (TableFixture table = new TableFixture(temp)) {
      table.create();
      table.merge(0, 3, numbered("k", 0, 100));
      upkeep(table, 3);
      files = indexFiles(table).size();
      assertThat(files).isPositive();
    }
    // Each file of the index on its own; the redone index has as many again.
    for (int i = 0; i < files; i++) {
      // An engine of its own: a process that crashed has no caches.
      long indexed;
      try (TableFixture table = new TableFixture(temp)) {
        indexed = newestVersion(table);
        tear(tear, liveIndexFiles(table).stream().sorted().toList().get(i));
      }
      try (TableFixture table = new TableFixture(temp)) {
        OwnedTable owned = take(table, EPOCH + 1 + i, new SyncedVersion(indexed - 1, 3));
        assertThat(owned.watermark()).isEqualTo(3);
        assertThat(owned.reader().indexState()).isEqualTo(new IndexState(0, 1, 0, 100));
        assertThat(table.rows()).isEqualTo(numbered("k", 0, 100));
        assertThat(table.tables.upkeepIndex(table.location, EPOCH + 1 + i, 3, LIMITS))
            .isInstanceOf(IndexOutcome.Done.class);
        try (TableReader reader = table.tables.openReader(table.location)) {
          assertThat(TableFixture.rows(reader, Optional.of(TableFixture.idIs("k000050"))))
              .isEqualTo(numbered("k", 50, 1));
        }
      }
    }
  }

  private static void tear(Tear tear, Path file) throws IOException {
    byte[] bytes = Files.readAllBytes(file);
    switch (tear) {
      case GONE -> Files.delete(file);
      case EMPTY -> Files.write(file, new byte[0]);
      case CUT_OFF -> Files.write(file, Arrays.copyOf(bytes, bytes.length / 2));
      case ZEROS_AT_THE_END -> {
        Arrays.fill(bytes, bytes.length / 2, bytes.length, (byte) 0);
        Files.write(file, bytes);
      }
    }
  }

  @Test
  void everythingOfAnIndexIsSyncedAndItsFilesBeforeItsManifest() throws IOException {
    List<Path> synced = new ArrayList<>();
    AtomicBoolean recording = new AtomicBoolean();
    FileSync sync =
        path -> {
          if (recording.get()) {
            synchronized (synced) {
              synced.add(path);
            }
          }
        };
    try (TableFixture table = new TableFixture(temp, sync, () -> {})) {
      table.create();
      table.merge(0, 1, numbered("k", 0, 100));
      recording.set(true);
      IndexOutcome.Done done = (IndexOutcome.Done) upkeep(table, 1);
      recording.set(false);
      Set<Path> files = liveIndexFiles(table);
      assertThat(synced).containsAll(files);
      assertThat(synced)
          .contains(
              files.iterator().next().getParent(),
              table.folder.resolve("_indices"),
              table.folder.resolve("_versions"),
              table.folder,
              table.manifest(done.version() - 1),
              table.manifest(done.version()));
      assertThat(synced.indexOf(files.iterator().next()))
          .isLessThan(synced.indexOf(table.manifest(done.version())));
    }
  }

  @Test
  void anIndexThatIsNotSurelyOnDiskIsUnknown() {
    failsToSync(path -> path.toString().contains("_indices"), IndexOutcome.Unknown.class);
  }

  @Test
  void aFloorThatIsNotSurelyOnDiskIsUnknownAndNoIndexIsBuilt() {
    failsToSync(path -> path.toString().endsWith(".manifest"), IndexOutcome.Unknown.class);
    assertThat(temp.resolve("store.generic.0a1b2c3d.lance/_indices")).doesNotExist();
  }

  private void failsToSync(Predicate<Path> fails, Class<? extends IndexOutcome> expected) {
    AtomicBoolean failing = new AtomicBoolean();
    FileSync sync =
        path -> {
          if (failing.get() && fails.test(path)) {
            throw new IOException("no space");
          }
        };
    try (TableFixture table = new TableFixture(temp, sync, () -> {})) {
      table.create();
      table.merge(0, 5, numbered("k", 0, 100));
      failing.set(true);
      assertThat(upkeep(table, 5)).isInstanceOf(expected);
      failing.set(false);
      assertThat(take(table, EPOCH, SyncedVersion.NONE).watermark()).isEqualTo(5);
      assertThat(table.rows()).isEqualTo(numbered("k", 0, 100));
    }
  }

  @Test
  void anIndexThatCannotBeBuiltIsAFailureAndTheTableStays() throws IOException {
    try (TableFixture table = new TableFixture(temp)) {
      table.create();
      table.merge(0, 5, numbered("k", 0, 100));
      Files.writeString(table.folder.resolve("_indices"), "in the way");
      assertThatThrownBy(() -> upkeep(table, 5)).isInstanceOf(TableException.class);
      table.merge(5, 6, Map.of("k000000", 1));
      Map<String, Integer> expected = new TreeMap<>(numbered("k", 0, 100));
      expected.put("k000000", 1);
      assertThat(table.rows()).isEqualTo(expected);
      Files.delete(table.folder.resolve("_indices"));
      assertThat(upkeep(table, 6)).isInstanceOf(IndexOutcome.Done.class);
    }
  }

  @Test
  void indicesOfOtherProgramsAreLeftAsTheyAre() {
    try (TableFixture table = new TableFixture(temp)) {
      table.create();
      table.merge(0, 1, numbered("k", 0, 100));
      Map<String, IndexType> strangers =
          Map.of("n", IndexType.BITMAP, "tag", IndexType.NGRAM, "id", IndexType.ZONEMAP);
      strangers.forEach(
          (column, type) ->
              table.onNewest(
                  dataset ->
                      dataset.createIndex(
                          IndexOptions.builder(
                                  List.of(column),
                                  type,
                                  IndexParams.builder()
                                      .setScalarIndexParams(
                                          ScalarIndexParams.create(
                                              type.name().toLowerCase(Locale.ROOT), "{}"))
                                      .build())
                              .withIndexName("theirs_" + column)
                              .build())));
      assertThat(state(table)).isEqualTo(new IndexState(0, 1, 0, 100));
      List<UUID> before = uuids(table);
      assertThat(before).hasSize(3);

      assertThat(upkeep(table, 1)).isInstanceOf(IndexOutcome.Done.class);
      for (int i = 1; i <= 3; i++) {
        table.merge(i, i + 1, numbered("l", i, 1));
      }
      assertThat(upkeep(table, 4)).isInstanceOf(IndexOutcome.Done.class);
      assertThat(state(table)).isEqualTo(new IndexState(4, 0, 103, 0));
      assertThat(uuids(table)).hasSize(4).containsAll(before);
      assertThat(take(table, EPOCH + 1, SyncedVersion.NONE).watermark()).isEqualTo(4);
    }
  }

  private static List<UUID> uuids(TableFixture table) {
    try (Dataset newest = table.engine.openNewest(table.location)) {
      return newest.getIndexes().stream().map(Index::uuid).toList();
    }
  }

  @Test
  void aReaderOfTheVersionBeforeGoesOn() {
    try (TableFixture table = new TableFixture(temp)) {
      table.create();
      table.merge(0, 1, numbered("k", 0, 100));
      try (TableReader before = table.tables.openReader(table.location)) {
        upkeep(table, 1);
        assertThat(before.indexState().isIndexed()).isFalse();
        assertThat(TableFixture.rows(before, Optional.empty())).isEqualTo(numbered("k", 0, 100));
      }
    }
  }

  private static IndexOutcome upkeep(TableFixture table, long watermark) {
    return table.tables.upkeepIndex(table.location, EPOCH, watermark, LIMITS);
  }

  private static OwnedTable take(TableFixture table, long epoch, SyncedVersion synced) {
    OwnedTable owned = table.tables.takeOwnership(table.location, epoch, synced);
    table.opened.add(owned.reader());
    return owned;
  }

  private static IndexState state(TableFixture table) {
    try (TableReader reader = table.tables.openReader(table.location)) {
      assertThat(reader.fragmentCount())
          .isEqualTo(
              reader.indexState().indexedFragments() + reader.indexState().unindexedFragments());
      assertThat(reader.indexState().rows()).isEqualTo(reader.rowCount());
      return reader.indexState();
    }
  }

  private static long newestVersion(TableFixture table) {
    try (TableReader reader = table.tables.openReader(table.location)) {
      return reader.version();
    }
  }

  private static List<Path> indexFiles(TableFixture table) throws IOException {
    try (var files = Files.walk(table.folder.resolve("_indices"))) {
      return files.filter(Files::isRegularFile).toList();
    }
  }

  /** Files of the newest version's index. */
  private static Set<Path> liveIndexFiles(TableFixture table) throws IOException {
    String uuid;
    try (Dataset newest = table.engine.openNewest(table.location)) {
      uuid = KeyIndex.segments(newest).getFirst().uuid().toString();
    }
    try (var files = Files.list(table.folder.resolve("_indices").resolve(uuid))) {
      return Set.copyOf(files.toList());
    }
  }
}
