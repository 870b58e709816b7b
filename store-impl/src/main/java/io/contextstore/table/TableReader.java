package io.contextstore.table;

import io.contextstore.filter.RenderedFilter;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import org.apache.arrow.vector.types.pojo.Field;
import org.lance.Dataset;

/**
 * One version of one table, for scans only.
 *
 * <p>Its handle is never used for anything that Lance serialises on a handle (commits, compaction,
 * {@code takeRows}, counts on the handle), so no reader waits for another one or for maintenance.
 * It has deliberately nothing but what is here. Any number of threads may scan at once. The owner,
 * a view, closes it when nobody scans any more.
 */
public final class TableReader implements AutoCloseable {
  private final Dataset dataset;
  private final Scans scans;
  private final Runnable ioCheck;
  private final String uri;
  private final long version;
  private final long rowCount;
  private final IndexState indexState;
  private final Set<String> columns = new HashSet<>();

  /** Takes over the handle. */
  TableReader(Dataset dataset, Scans scans, Runnable ioCheck) {
    this.dataset = dataset;
    this.scans = scans;
    this.ioCheck = ioCheck;
    uri = dataset.uri();
    version = dataset.version();
    rowCount = dataset.getVersion().getManifestSummary().getTotalRows();
    indexState = KeyIndex.state(dataset);
    for (Field field : dataset.getSchema().getFields()) {
      columns.add(field.getName());
    }
  }

  /** The version. */
  public long version() {
    return version;
  }

  /** Live rows of this version; remembered, so free. */
  public long rowCount() {
    return rowCount;
  }

  /** Fragments of this version; remembered, so free. */
  public int fragmentCount() {
    return indexState.indexedFragments() + indexState.unindexedFragments();
  }

  /** How far the index on the key column covers this version; remembered, so free. */
  public IndexState indexState() {
    return indexState;
  }

  /** The table's folder or URI. */
  public String uri() {
    return uri;
  }

  /**
   * Plans a scan on a planner thread and returns it started; the caller closes it.
   *
   * @throws TableFilterException when the filter does not fit the table
   * @throws TableException when storage fails, or the deadline passes
   * @throws IllegalArgumentException when there is no such column
   */
  public TableScan scan(ScanRequest request) {
    ioCheck.run();
    for (String column : request.columns()) {
      if (!columns.contains(column)) {
        throw new IllegalArgumentException("no column " + column + " in " + uri);
      }
    }
    return scans.scan(dataset, uri, request);
  }

  /**
   * Counts the rows that match.
   *
   * @throws TableFilterException when the filter does not fit the table, or fails on a row
   * @throws TableException when storage fails, or the deadline passes
   */
  public long count(Optional<RenderedFilter> filter, Deadline deadline) {
    if (filter.isEmpty()) {
      return rowCount;
    }
    ioCheck.run();
    return scans.count(dataset, uri, filter.get(), deadline);
  }

  /** Closes the handle. May be called twice. */
  @Override
  public void close() {
    ioCheck.run();
    dataset.close();
  }
}
