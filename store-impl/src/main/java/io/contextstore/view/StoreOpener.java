package io.contextstore.view;

import io.contextstore.codec.BatchFrames;
import io.contextstore.codec.MalformedBatchException;
import io.contextstore.files.DurableFiles;
import io.contextstore.generation.Generation;
import io.contextstore.generation.Memtable;
import io.contextstore.log.Frame;
import io.contextstore.log.FrameKind;
import io.contextstore.log.LocalLog;
import io.contextstore.log.LocalLogSettings;
import io.contextstore.log.LogIdentity;
import io.contextstore.log.SegmentInfo;
import io.contextstore.log.SegmentReader;
import io.contextstore.log.WriteAheadLog;
import io.contextstore.schema.ArrowSchemas;
import io.contextstore.schema.SchemaFingerprint;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.types.pojo.Schema;

/**
 * Makes the folders of a new store, and opens one: take ownership of the base table, read its
 * watermark, open the log, drop what is merged, replay the rest into generations. Replayed rows are
 * visible before the first append.
 */
final class StoreOpener {
  private final StoreEnvironment environment;

  StoreOpener(StoreEnvironment environment) {
    this.environment = environment;
  }

  /** Creates table and log, complete and synced. The store exists with its catalog entry only. */
  void create(CatalogEntry entry) throws IOException {
    Schema schema = ArrowSchemas.rows(entry.schema());
    environment
        .tables()
        .create(
            environment.ownership().location(entry.id()),
            schema,
            environment.folder().ownerEpoch());
    DurableFiles.createFolders(environment.folder().logFolder(entry.id()));
  }

  /** Opens the store with everything that was ever acknowledged. */
  Store open(CatalogEntry entry) {
    Schema schema = ArrowSchemas.rows(entry.schema());
    Ownership.Taken table = environment.ownership().take(entry.id());
    BaseVersion base = new BaseVersion(table.reader());
    ViewDisposer disposer = new ViewDisposer(environment.disposerThreads());
    List<Generation> replayed = new ArrayList<>();
    WriteAheadLog log = null;
    try {
      log =
          LocalLog.open(
              environment.folder().logFolder(entry.id()),
              new LogIdentity(
                  entry.id().incarnation(), SchemaFingerprint.of(entry.schema()).toString()),
              environment.folder().ownerEpoch(),
              table.watermark(),
              LocalLogSettings.DEFAULT);
      SegmentRetention retention =
          new SegmentRetention(
              log, environment.budget(), environment.disposerThreads(), table.watermark());
      log.dropThrough(table.watermark());
      Memtable memtable = replay(log, retention, schema, table.watermark(), replayed);
      View first = View.first(base, replayed, memtable.generation(), disposer);
      return new Store(
          entry, schema, environment, new OpenedLog(log, retention, first, memtable), disposer);
    } catch (RuntimeException | Error e) {
      replayed.forEach(Generation::release);
      base.release();
      if (log != null) {
        log.close(Duration.ZERO);
      }
      throw e;
    }
  }

  /** Fills {@code sealed} and returns the memtable of the active segment. */
  private Memtable replay(
      WriteAheadLog log,
      SegmentRetention retention,
      Schema schema,
      long watermark,
      List<Generation> sealed) {
    Memtable memtable = null;
    for (SegmentInfo segment : log.segments()) {
      if (segment.number() <= watermark) {
        continue;
      }
      memtable = retention.openMemtable(segment.number(), segment.firstLsn() - 1);
      sealed.add(memtable.generation());
      if (!segment.isEmpty()) {
        replaySegment(log, segment.number(), schema, memtable);
      }
    }
    if (memtable == null) {
      throw new IllegalStateException("the log has no active segment");
    }
    sealed.removeLast();
    return memtable;
  }

  private void replaySegment(WriteAheadLog log, long segment, Schema schema, Memtable memtable) {
    try (SegmentReader reader = log.read(segment)) {
      for (Optional<Frame> next = reader.next(); next.isPresent(); next = reader.next()) {
        Frame frame = next.get();
        boolean tombstones = frame.kind() == FrameKind.TOMBSTONES;
        VectorSchemaRoot root = decode(reader, frame, tombstones, schema);
        environment.budget().reserve(Memtable.cost(root));
        memtable.append(frame.lsn(), root, tombstones);
      }
    }
  }

  private VectorSchemaRoot decode(
      SegmentReader reader, Frame frame, boolean tombstones, Schema schema) {
    try (ArrowBuf memory = environment.allocator().buffer(frame.bodyLength())) {
      ByteBuffer body = memory.nioBuffer(0, frame.bodyLength());
      reader.copyBody(body);
      return BatchFrames.decode(
              body.flip(), tombstones ? ArrowSchemas.tombstones() : schema, environment.allocator())
          .root();
    } catch (MalformedBatchException e) {
      throw new IllegalStateException(
          "frame " + frame.lsn() + " of the log is no batch of this store", e);
    }
  }
}
