package io.contextstore.table;

import io.contextstore.filter.RenderedFilter;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * What to scan.
 *
 * @param columns names of the columns to read, in the order wanted; may be empty only with {@code
 *     rowAddress}
 * @param filter which rows; all when empty
 * @param rowAddress whether a last column {@link #ROW_ADDRESS} is added: an unsigned 64-bit {@code
 *     fragment << 32 | offset}, good for this version only
 * @param byId whether the rows come in the order of their ids, by bytes of UTF-8; costs a pass over
 *     all that match
 * @param limit most rows, at least 0; all when empty
 * @param batchRows most rows of a batch, at least 1
 * @param deadline until when the caller waits for the plan
 */
public record ScanRequest(
    List<String> columns,
    Optional<RenderedFilter> filter,
    boolean rowAddress,
    boolean byId,
    OptionalLong limit,
    int batchRows,
    Deadline deadline) {
  /** Name of the column that holds row addresses. */
  public static final String ROW_ADDRESS = "_rowaddr";

  private static final int DEFAULT_BATCH_ROWS = 4096;

  public ScanRequest {
    columns = List.copyOf(columns);
    if (columns.isEmpty() && !rowAddress) {
      throw new IllegalArgumentException("a scan needs columns");
    }
    if (limit.isPresent() && limit.getAsLong() < 0) {
      throw new IllegalArgumentException("limit must not be negative");
    }
    if (batchRows < 1) {
      throw new IllegalArgumentException("batches must have rows");
    }
  }

  /** All rows of some columns, without a deadline. */
  public static ScanRequest of(List<String> columns) {
    return new ScanRequest(
        columns,
        Optional.empty(),
        false,
        false,
        OptionalLong.empty(),
        DEFAULT_BATCH_ROWS,
        Deadline.none());
  }

  /** The same with only the rows that match. */
  public ScanRequest matching(RenderedFilter newFilter) {
    return new ScanRequest(
        columns, Optional.of(newFilter), rowAddress, byId, limit, batchRows, deadline);
  }

  /** The same with row addresses. */
  public ScanRequest withRowAddress() {
    return new ScanRequest(columns, filter, true, byId, limit, batchRows, deadline);
  }

  /** The same in the order of the ids. */
  public ScanRequest orderedById() {
    return new ScanRequest(columns, filter, rowAddress, true, limit, batchRows, deadline);
  }

  /** The same with at most that many rows. */
  public ScanRequest limitedTo(long rows) {
    return new ScanRequest(
        columns, filter, rowAddress, byId, OptionalLong.of(rows), batchRows, deadline);
  }

  /** The same with at most that many rows a batch. */
  public ScanRequest inBatchesOf(int rows) {
    return new ScanRequest(columns, filter, rowAddress, byId, limit, rows, deadline);
  }

  /** The same with a deadline. */
  public ScanRequest until(Deadline newDeadline) {
    return new ScanRequest(columns, filter, rowAddress, byId, limit, batchRows, newDeadline);
  }
}
