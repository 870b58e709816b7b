package io.contextstore.table;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.arrow.vector.types.pojo.Schema;
import org.lance.Dataset;
import org.lance.Fragment;
import org.lance.FragmentMetadata;
import org.lance.WriteParams;
import org.lance.operation.UpdateConfig;
import org.lance.operation.UpdateMap;

/**
 * The base tables of the stores: creation, readers, change of owner, merges.
 *
 * <p>Every operation opens handles of its own and closes them. Operations of different tables never
 * wait for each other. The caller sees to it that only one thing writes to a table at a time (its
 * maintenance slot); another process that writes is found out by owner epoch and barrier. All of it
 * does I/O, and none of it may be called with a lock held.
 */
public final class BaseTables {
  private final TableEngine engine;

  BaseTables(TableEngine engine) {
    this.engine = engine;
  }

  /**
   * Creates an empty table and syncs it.
   *
   * @param schema columns in order; the key column {@value MergePass#KEY_COLUMN} is among them
   * @return its newest version, whose watermark is 0
   * @throws TableException when there is one already, or storage fails; the folder is then debris
   */
  public long create(TableLocation location, Schema schema, long ownerEpoch) {
    engine.ioCheck();
    try {
      Optional<Path> folder = location.localFolder();
      if (folder.isPresent() && folder.get().getParent() != null) {
        Files.createDirectories(folder.get().getParent());
      }
      Dataset.write()
          .allocator(engine.allocator())
          .uri(location.uri())
          .schema(schema)
          .mode(WriteParams.WriteMode.CREATE)
          .storageOptions(location.storageOptions())
          .session(engine.session())
          .execute()
          .close();
      Optional<TableFiles> files = files(location);
      if (files.isPresent()) {
        files.get().syncCommitsAfter(0);
        files.get().syncParent();
      }
      try (Dataset created = engine.openNewest(location)) {
        return floorOrThrow(location, created, ownerEpoch, 0);
      }
    } catch (Exception e) {
      throw LanceErrors.table("creating table " + location, e);
    }
  }

  /** Opens the newest version; the caller closes the reader. */
  public TableReader openReader(TableLocation location) {
    engine.ioCheck();
    try {
      return reader(engine.openNewest(location));
    } catch (Exception e) {
      throw LanceErrors.table("opening table " + location, e);
    }
  }

  /** Opens one version; the caller closes the reader. */
  public TableReader openReader(TableLocation location, long version) {
    engine.ioCheck();
    try {
      return reader(engine.open(location, version));
    } catch (Exception e) {
      throw LanceErrors.table("opening version " + version + " of table " + location, e);
    }
  }

  private TableReader reader(Dataset dataset) {
    try {
      return new TableReader(dataset, engine.requestScans(), engine.ioCheckHook());
    } catch (Exception e) {
      dataset.close();
      throw e;
    }
  }

  /**
   * Makes the caller the owner: the first thing that a process does to a table, and what follows an
   * {@link CommitOutcome.Unknown unknown} outcome.
   *
   * <p>In order: versions that are torn or lack files are set aside (local tables only; an object
   * store has no torn objects); what is not surely on disk is synced; a barrier shuts out every
   * commit that was prepared before, and mends what an earlier owner left half done; the watermark
   * is read, and written to the configuration with the epoch. If any of it fails it may be called
   * again.
   *
   * @param ownerEpoch the caller's epoch; the same as before after an unknown outcome
   * @param lastSynced what the last owner remembered beside the log
   * @return a reader of the newest version, and the watermark to replay the log from
   * @throws NotOwnerException when the table has an owner with a higher epoch
   * @throws TableDamagedException when a synced version is damaged, or the watermark is hidden
   */
  public OwnedTable takeOwnership(
      TableLocation location, long ownerEpoch, SyncedVersion lastSynced) {
    engine.ioCheck();
    try {
      Optional<TableFiles> files = files(location);
      if (files.isPresent()) {
        new WholeVersion(engine, location, files.get()).find(lastSynced.version());
      }
      try (Dataset newest = engine.openNewest(location)) {
        long tableEpoch = Watermarks.ownerEpoch(newest);
        if (tableEpoch > ownerEpoch) {
          throw new NotOwnerException(location.uri(), ownerEpoch, tableEpoch);
        }
        if (files.isPresent() && newest.version() > lastSynced.version()) {
          syncAll(newest, files.get(), lastSynced.version());
        }
      }
      Barrier.Placed barrier =
          Barrier.place(
              () -> engine.openNewest(location),
              properties(ownerEpoch, TableProperties.KIND_BARRIER));
      if (files.isPresent()) {
        sync(files.get(), barrier.readVersion(), barrier.landed());
      }
      return owned(location, ownerEpoch, lastSynced, barrier.landed().version());
    } catch (Exception e) {
      throw LanceErrors.table("taking table " + location, e);
    }
  }

  private OwnedTable owned(
      TableLocation location, long ownerEpoch, SyncedVersion lastSynced, long barrier)
      throws IOException {
    try (Dataset after = engine.open(location, barrier)) {
      long watermark = Watermarks.read(after);
      if (watermark < lastSynced.watermark()) {
        throw new TableDamagedException(
            "the watermark of "
                + location
                + " fell from "
                + lastSynced.watermark()
                + " to "
                + watermark);
      }
      long version = barrier;
      if (Watermarks.configured(after, TableProperties.WATERMARK).orElse(-1) != watermark
          || Watermarks.configured(after, TableProperties.OWNER_EPOCH).orElse(-1) != ownerEpoch) {
        version = floorOrThrow(location, after, ownerEpoch, watermark);
      }
      return new OwnedTable(openReader(location, version), watermark);
    }
  }

  private static void syncAll(Dataset newest, TableFiles files, long lastSynced)
      throws IOException {
    List<FragmentMetadata> fragments =
        newest.getFragments().stream().map(Fragment::metadata).toList();
    files.syncContents(fragments, newest.getIndexes());
    files.syncCommitsAfter(lastSynced);
  }

  /**
   * Starts a merge on the newest version.
   *
   * @param expectedWatermark the watermark that the merge was planned for
   * @throws NotOwnerException when the table's owner is another
   * @throws WatermarkMismatchException when the table has another watermark
   */
  public MergePass beginMerge(TableLocation location, long ownerEpoch, long expectedWatermark) {
    engine.ioCheck();
    try {
      Dataset dataset = engine.openNewest(location);
      try {
        checkOwner(location, dataset, ownerEpoch);
        checkWatermark(location, dataset, ownerEpoch, expectedWatermark);
        return new MergePass(
            engine, location, dataset, ownerEpoch, expectedWatermark, files(location));
      } catch (Exception e) {
        dataset.close();
        throw e;
      }
    } catch (Exception e) {
      throw LanceErrors.table("starting a merge of table " + location, e);
    }
  }

  /**
   * Writes the exact watermark and the epoch into the table's configuration, and syncs. Must come
   * before every commit that cannot carry them itself: compaction, index, removal of versions.
   *
   * @throws NotOwnerException when the table's owner is another
   */
  public CommitOutcome writeFloor(TableLocation location, long ownerEpoch, long watermark) {
    engine.ioCheck();
    try (Dataset newest = engine.openNewest(location)) {
      checkOwner(location, newest, ownerEpoch);
      return floor(location, newest, ownerEpoch, watermark);
    } catch (Exception e) {
      throw LanceErrors.table("writing the floor of table " + location, e);
    }
  }

  /**
   * Makes the index on the key column, or brings it up to date, when the limits say so: first the
   * floor, then the index, then the sync of both. Runs as long as a pass over all keys takes.
   *
   * @param expectedWatermark the watermark that the caller believes the table to have
   * @throws NotOwnerException when the table's owner is another
   * @throws WatermarkMismatchException when the table has another watermark
   * @throws TableException when the index could not be built: at most the floor was committed
   */
  public IndexOutcome upkeepIndex(
      TableLocation location, long ownerEpoch, long expectedWatermark, IndexLimits limits) {
    engine.ioCheck();
    try {
      CommitOutcome floor;
      try (Dataset newest = engine.openNewest(location)) {
        checkOwner(location, newest, ownerEpoch);
        checkWatermark(location, newest, ownerEpoch, expectedWatermark);
        if (!limits.isDue(KeyIndex.state(newest))) {
          return new IndexOutcome.NotDue();
        }
        floor = floor(location, newest, ownerEpoch, expectedWatermark);
      }
      return switch (floor) {
        case CommitOutcome.Committed committed ->
            new IndexCommit(engine, location, files(location)).on(committed.version());
        case CommitOutcome.Conflict conflict -> new IndexOutcome.Conflict(conflict.reason());
        case CommitOutcome.Unknown unknown -> new IndexOutcome.Unknown(unknown.cause());
      };
    } catch (Exception e) {
      throw LanceErrors.table("indexing table " + location, e);
    }
  }

  private static void checkWatermark(
      TableLocation location, Dataset newest, long ownerEpoch, long expected) {
    long watermark = Watermarks.readAsOwner(newest, ownerEpoch);
    if (watermark != expected) {
      throw new WatermarkMismatchException(location.uri(), expected, watermark);
    }
  }

  private static void checkOwner(TableLocation location, Dataset newest, long ownerEpoch) {
    long tableEpoch = Watermarks.ownerEpoch(newest);
    if (tableEpoch != ownerEpoch) {
      throw new NotOwnerException(location.uri(), ownerEpoch, tableEpoch);
    }
  }

  private long floorOrThrow(TableLocation location, Dataset base, long ownerEpoch, long watermark) {
    return switch (floor(location, base, ownerEpoch, watermark)) {
      case CommitOutcome.Committed committed -> committed.version();
      case CommitOutcome.Conflict conflict ->
          throw new TableException("another writer came first: " + conflict.reason());
      case CommitOutcome.Unknown unknown ->
          throw new TableException("the floor may not have landed", unknown.cause());
    };
  }

  private CommitOutcome floor(
      TableLocation location, Dataset base, long ownerEpoch, long watermark) {
    Map<String, String> floor =
        Map.of(
            TableProperties.WATERMARK, Long.toString(watermark),
            TableProperties.OWNER_EPOCH, Long.toString(ownerEpoch));
    Map<String, String> properties =
        Map.of(
            TableProperties.WATERMARK, Long.toString(watermark),
            TableProperties.OWNER_EPOCH, Long.toString(ownerEpoch),
            TableProperties.COMMIT_KIND, TableProperties.KIND_FLOOR);
    UpdateConfig update =
        UpdateConfig.builder()
            .configUpdates(UpdateMap.builder().updates(floor).replace(false).build())
            .build();
    return Commits.outcome(base, update, properties, files(location));
  }

  private static Map<String, String> properties(long ownerEpoch, String kind) {
    return Map.of(
        TableProperties.OWNER_EPOCH, Long.toString(ownerEpoch), TableProperties.COMMIT_KIND, kind);
  }

  private static void sync(TableFiles files, long readVersion, Landing.Landed landed)
      throws IOException {
    files.syncCommit(readVersion, landed.uuid(), landed.version());
  }

  private Optional<TableFiles> files(TableLocation location) {
    return location.localFolder().map(folder -> new TableFiles(folder, engine.sync()));
  }
}
