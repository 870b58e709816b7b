package io.contextstore.table;

import io.contextstore.api.RowKey;
import io.contextstore.filter.KeyFilters;
import java.io.IOException;
import java.lang.System.Logger;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.arrow.c.ArrowArrayStream;
import org.apache.arrow.c.Data;
import org.apache.arrow.vector.UInt8Vector;
import org.apache.arrow.vector.VarCharVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.types.pojo.Schema;
import org.jspecify.annotations.Nullable;
import org.lance.Dataset;
import org.lance.Fragment;
import org.lance.FragmentMetadata;
import org.lance.WriteParams;
import org.lance.operation.Update;

/**
 * One merge into a base table: find the rows that it replaces or removes, delete them, write the
 * new ones, commit all of it with the watermark in one transaction.
 *
 * <p>Look-up, deletion and commit go through one handle, and the transaction names that handle's
 * version as the one it read: a deletion vector that was computed on another version would bring
 * deleted rows back. So after a conflict nothing of a pass can be used again.
 *
 * <p>The transaction is an {@code Update} even if nothing is deleted: an update is refused when
 * something changed the fragments that it touches, where an append never is. Neither is refused
 * when the other commit only added fragments, so the version is compared afterwards as well.
 *
 * <p>One thread at a time. Nothing of it holds a lock, and all of it may take seconds.
 */
public final class MergePass implements AutoCloseable {
  /** Name of the key column. */
  public static final String KEY_COLUMN = "id";

  private static final Logger LOG = System.getLogger(MergePass.class.getName());

  /** Bounds of a fragment, so that a large merge does not make one that can never be rewritten. */
  private static final int MAX_FRAGMENT_ROWS = 1 << 20;

  private static final int LOOKUP_BATCH_ROWS = 8192;

  private enum State {
    PREPARING,
    COMMITTED,
    CONFLICT,
    UNKNOWN,
    CLOSED
  }

  private final TableEngine engine;
  private final TableLocation location;
  private final Dataset dataset;
  private final long readVersion;
  private final long ownerEpoch;
  private final long watermarkBefore;
  private final Optional<TableFiles> files;
  private final List<FragmentMetadata> added = new ArrayList<>();
  private final List<FragmentMetadata> updated = new ArrayList<>();
  private final List<Long> removed = new ArrayList<>();
  private boolean deleted;
  private State state = State.PREPARING;

  /** Takes over the handle. */
  MergePass(
      TableEngine engine,
      TableLocation location,
      Dataset dataset,
      long ownerEpoch,
      long watermarkBefore,
      Optional<TableFiles> files) {
    this.engine = engine;
    this.location = location;
    this.dataset = dataset;
    this.ownerEpoch = ownerEpoch;
    this.watermarkBefore = watermarkBefore;
    this.files = files;
    readVersion = dataset.version();
  }

  /** The version that this pass reads; it commits as the next one. */
  public long readVersion() {
    return readVersion;
  }

  /**
   * Finds the base rows of keys the cheaper way: few keys are looked up in the index, if there is
   * one that covers nearly all rows; many are found by {@linkplain #findRows(KeyMatcher) a scan}.
   * Both find the same.
   */
  public FoundRows findRows(MergeKeys keys) {
    begin();
    try {
      long rows = dataset.getVersion().getManifestSummary().getTotalRows();
      if (!LookUpCost.isFew(keys.count(), rows)
          || !LookUpCost.isLookUpCheaper(
              keys.count(), KeyFilters.MAX_KEYS, KeyIndex.state(dataset))) {
        return findRows((KeyMatcher) keys);
      }
    } catch (Exception e) {
      throw LanceErrors.table("reading the index of table " + location, e);
    }
    return lookUp(keys).orElseGet(() -> findRows((KeyMatcher) keys));
  }

  /**
   * Looks keys up in the index, a few in a statement. Rows that the index does not cover are seen
   * as well: Lance scans them. Empty when the index named a row that has none of the keys: it is
   * wrong, and must not make this pass delete what nobody has replaced.
   */
  Optional<FoundRows> lookUp(MergeKeys keys) {
    begin();
    FoundRows found = new FoundRows(this);
    Set<RowKey> seen = new HashSet<>();
    List<RowKey> statement = new ArrayList<>();
    for (RowKey key : keys) {
      if (seen.add(key)) {
        statement.add(key);
      }
      if (statement.size() == KeyFilters.MAX_KEYS) {
        if (!lookUp(statement, keys, found)) {
          return Optional.empty();
        }
        statement.clear();
      }
    }
    return statement.isEmpty() || lookUp(statement, keys, found)
        ? Optional.of(found)
        : Optional.empty();
  }

  private boolean lookUp(List<RowKey> statement, KeyMatcher matcher, FoundRows found) {
    ScanRequest request =
        ScanRequest.of(List.of(KEY_COLUMN)).withRowAddress().matching(KeyFilters.in(statement));
    long before = found.count();
    long rows = scan(request, matcher, found);
    if (found.count() - before != rows) {
      LOG.log(Logger.Level.WARNING, "the index of {0} names rows of other keys", location);
      return false;
    }
    return true;
  }

  /**
   * Finds base rows by one scan of the key column. Costs a pass over all keys, whatever the number
   * that is looked for.
   */
  public FoundRows findRows(KeyMatcher matcher) {
    begin();
    ScanRequest request =
        ScanRequest.of(List.of(KEY_COLUMN)).withRowAddress().inBatchesOf(LOOKUP_BATCH_ROWS);
    FoundRows found = new FoundRows(this);
    scan(request, matcher, found);
    return found;
  }

  /** Adds the rows that match, and returns how many were looked at. */
  private long scan(ScanRequest request, KeyMatcher matcher, FoundRows found) {
    long rows = 0;
    try (TableScan scan = engine.maintenanceScans().scan(dataset, location.uri(), request)) {
      while (scan.next()) {
        VectorSchemaRoot batch = scan.root();
        VarCharVector ids = (VarCharVector) batch.getVector(KEY_COLUMN);
        UInt8Vector addresses = (UInt8Vector) batch.getVector(ScanRequest.ROW_ADDRESS);
        for (int row = 0; row < batch.getRowCount(); row++) {
          if (matcher.matches(ids, row)) {
            found.add(addresses.get(row));
          }
        }
        rows += batch.getRowCount();
      }
    }
    return rows;
  }

  /**
   * Writes deletion vectors for rows; a fragment that loses all its rows goes away. At most once a
   * pass: a second vector of a fragment would not know the first.
   *
   * @param rows what {@link #findRows} of this pass found
   */
  public void deleteRows(FoundRows rows) {
    begin();
    if (!rows.isOf(this)) {
      throw new IllegalArgumentException("these rows were found by another pass");
    }
    if (deleted) {
      throw new IllegalStateException("this pass has deleted already");
    }
    deleted = true;
    try {
      for (Map.Entry<Integer, GrowableInts> entry : rows.byFragment().entrySet()) {
        delete(entry.getKey(), entry.getValue());
      }
    } catch (Exception e) {
      throw LanceErrors.table("deleting rows of table " + location, e);
    }
  }

  private void delete(int fragmentId, GrowableInts offsets) {
    Fragment fragment = dataset.getFragment(fragmentId);
    offsets.normalize();
    // Lance accepts an offset beyond the end without a word.
    long physicalRows = fragment.metadata().getPhysicalRows();
    if (offsets.first() < 0 || offsets.last() >= physicalRows) {
      throw new TableException(
          "row " + offsets.last() + " of fragment " + fragmentId + ", which has " + physicalRows);
    }
    @Nullable FragmentMetadata left = fragment.deleteRows(offsets.asList());
    if (left == null) {
      removed.add((long) fragmentId);
    } else {
      updated.add(left);
    }
  }

  /**
   * Writes rows into new fragments, streaming: one batch is held at a time. May be called more than
   * once.
   *
   * @param schema schema of the batches: the table's
   * @param batches the rows, of the engine's allocator root; each batch stays the caller's and may
   *     be reused or closed when the next one is asked for
   * @return how many rows were written
   */
  public long writeRows(Schema schema, Iterator<VectorSchemaRoot> batches) {
    begin();
    if (!batches.hasNext()) {
      return 0;
    }
    try (BatchReader reader = new BatchReader(engine.allocator(), schema, batches, false);
        ArrowArrayStream stream = ArrowArrayStream.allocateNew(engine.allocator())) {
      Data.exportArrayStream(engine.allocator(), reader, stream);
      added.addAll(
          Fragment.write()
              .datasetUri(location.uri())
              .allocator(engine.allocator())
              .data(stream)
              .mode(WriteParams.WriteMode.APPEND)
              .maxRowsPerFile(MAX_FRAGMENT_ROWS)
              .storageOptions(location.storageOptions())
              .execute());
      return reader.rows();
    } catch (Exception e) {
      throw LanceErrors.table("writing rows of table " + location, e);
    }
  }

  /**
   * Syncs what was written, commits it, and syncs the commit. Whatever it answers, the pass is over
   * and is closed.
   *
   * @param watermark number of the last log segment whose rows this pass has; not below the one
   *     that it began with
   * @throws TableException when the files could not be synced: nothing was committed
   */
  public CommitOutcome commit(long watermark) {
    begin();
    if (watermark < watermarkBefore) {
      throw new IllegalArgumentException("watermark " + watermark + " is below " + watermarkBefore);
    }
    syncFiles();
    Update update =
        Update.builder()
            .removedFragmentIds(removed)
            .updatedFragments(updated)
            .newFragments(added)
            .updateMode(Optional.of(Update.UpdateMode.RewriteRows))
            .build();
    Map<String, String> properties =
        Map.of(
            TableProperties.WATERMARK, Long.toString(watermark),
            TableProperties.OWNER_EPOCH, Long.toString(ownerEpoch),
            TableProperties.COMMIT_KIND, TableProperties.KIND_MERGE);
    // Until the answer is here the files may be part of a version.
    state = State.UNKNOWN;
    CommitOutcome outcome = Commits.outcome(dataset, update, properties, files);
    state =
        switch (outcome) {
          case CommitOutcome.Committed committed -> State.COMMITTED;
          case CommitOutcome.Conflict conflict -> State.CONFLICT;
          case CommitOutcome.Unknown unknown -> State.UNKNOWN;
        };
    return outcome;
  }

  private void syncFiles() {
    if (files.isEmpty()) {
      return;
    }
    try {
      List<FragmentMetadata> written = new ArrayList<>(added);
      written.addAll(updated);
      files.get().syncContents(written, List.of());
    } catch (IOException e) {
      throw new TableException("syncing the files of a merge of " + location + " failed", e);
    }
  }

  private void begin() {
    engine.ioCheck();
    if (state != State.PREPARING) {
      throw new IllegalStateException("this pass is over: " + state);
    }
  }

  /**
   * Closes the handle. The files of a pass that surely did not commit are deleted; those of an
   * unknown outcome are left alone.
   */
  @Override
  public void close() {
    engine.ioCheck();
    if (state == State.CLOSED) {
      return;
    }
    boolean debris = state == State.PREPARING || state == State.CONFLICT;
    state = State.CLOSED;
    dataset.close();
    if (debris) {
      deleteDebris();
    }
  }

  private void deleteDebris() {
    if (files.isEmpty()) {
      // The removal of old versions finds them.
      return;
    }
    try {
      files.get().deleteData(added);
      files.get().deleteDeletions(updated);
    } catch (IOException e) {
      // Not worth failing for: no version names them, and the removal of old versions finds them.
      LOG.log(Logger.Level.WARNING, "files of an abandoned merge of " + location + " stay", e);
    }
  }
}
