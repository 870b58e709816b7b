package io.contextstore.table;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.lance.Dataset;
import org.lance.index.Index;

/**
 * Builds and commits the index on the key column, on top of a floor.
 *
 * <p>Lance builds and commits in one call, without properties of ours and with retries of its own.
 * So the files of the index are synced only after their commit: until the owner remembers the
 * version as synced, an open may set it aside, which costs no row. And a failure says nothing of
 * the commit; only a look at the table does.
 */
final class IndexCommit {
  private final TableEngine engine;
  private final TableLocation location;
  private final Optional<TableFiles> files;

  IndexCommit(TableEngine engine, TableLocation location, Optional<TableFiles> files) {
    this.engine = engine;
    this.location = location;
    this.files = files;
  }

  /**
   * Indexes all rows.
   *
   * @param floor the newest version, a floor
   * @throws TableException when the index could not be built: nothing was committed
   */
  IndexOutcome on(long floor) throws IOException {
    try (Dataset dataset = engine.open(location, floor)) {
      List<Index> before = KeyIndex.segments(dataset);
      try {
        KeyIndex.cover(dataset);
      } catch (Exception e) {
        return failed(floor, e);
      }
      long version = dataset.version();
      if (version > floor + 1) {
        return new IndexOutcome.Unknown(
            new TableException(
                "an index that had read version " + floor + " landed at " + version));
      }
      return version == floor ? new IndexOutcome.Done(floor) : synced(dataset, before, floor);
    }
  }

  private IndexOutcome failed(long floor, Exception cause) throws IOException {
    // A local commit is there when its call has returned, or it never will be. An object store may
    // carry out later what it has not answered.
    if (files.isPresent() && files.get().versions().getFirst() == floor) {
      throw new TableException("building the index of " + location + " failed", cause);
    }
    return new IndexOutcome.Unknown(cause);
  }

  private IndexOutcome synced(Dataset committed, List<Index> before, long floor) {
    long version = committed.version();
    if (files.isPresent()) {
      List<Index> added = new ArrayList<>(KeyIndex.segments(committed));
      added.removeIf(index -> before.stream().anyMatch(known -> known.uuid().equals(index.uuid())));
      try {
        files.get().syncContents(List.of(), added);
        files.get().syncCommitsAfter(floor);
      } catch (IOException e) {
        // A second sync would prove nothing; the barrier that follows writes a new manifest.
        return new IndexOutcome.Unknown(e);
      }
    }
    return new IndexOutcome.Done(version);
  }
}
