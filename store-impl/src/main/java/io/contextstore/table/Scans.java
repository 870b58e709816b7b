package io.contextstore.table;

import io.contextstore.filter.RenderedFilter;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import org.lance.Dataset;
import org.lance.ipc.ColumnOrdering;
import org.lance.ipc.LanceScanner;
import org.lance.ipc.ScanOptions;

/** Plans scans and counts of one handle on planner threads. */
final class Scans {
  /** Batches that Lance decodes ahead: enough to overlap, few enough to bound memory. */
  private static final int READ_AHEAD = 4;

  private final PlannerThreads planners;
  private final Runnable ioCheck;

  Scans(PlannerThreads planners, Runnable ioCheck) {
    this.planners = planners;
    this.ioCheck = ioCheck;
  }

  TableScan scan(Dataset dataset, String table, ScanRequest request) {
    boolean filtered = request.filter().isPresent();
    String what = "scan of " + table;
    ScanOptions options = options(request);
    try {
      return planners.call(
          what,
          request.deadline(),
          () -> TableScan.start(what, filtered, ioCheck, () -> dataset.newScan(options)),
          TableScan::close);
    } catch (ExecutionException e) {
      throw LanceErrors.planning(what, filtered, e);
    }
  }

  // Closing a scanner throws no InterruptedException, it only declares Exception.
  @SuppressWarnings("try")
  long count(Dataset dataset, String table, RenderedFilter filter, Deadline deadline) {
    String what = "count of " + table;
    ScanOptions options =
        new ScanOptions.Builder().columns(List.of()).withRowId(true).filter(filter.sql()).build();
    try {
      return planners.call(
          what,
          deadline,
          () -> {
            try (LanceScanner scanner = dataset.newScan(options)) {
              return scanner.countRows();
            }
          },
          ignored -> {});
    } catch (ExecutionException e) {
      throw LanceErrors.counting(what, true, e);
    }
  }

  private static ScanOptions options(ScanRequest request) {
    ScanOptions.Builder options =
        new ScanOptions.Builder()
            .columns(request.columns())
            .withRowAddress(request.rowAddress())
            .batchSize(request.batchRows())
            .batchReadahead(READ_AHEAD);
    Optional<RenderedFilter> filter = request.filter();
    filter.ifPresent(some -> options.filter(some.sql()));
    request.limit().ifPresent(options::limit);
    if (request.byId()) {
      options.setColumnOrderings(List.of(byId()));
    }
    return options.build();
  }

  private static ColumnOrdering byId() {
    ColumnOrdering.Builder order = new ColumnOrdering.Builder();
    order.setColumnName(MergePass.KEY_COLUMN);
    order.setAscending(true);
    order.setNullFirst(false);
    return order.build();
  }
}
