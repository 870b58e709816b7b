package io.contextstore.maintenance;

import io.contextstore.table.BaseTables;
import io.contextstore.table.IndexOutcome;
import io.contextstore.table.NotOwnerException;
import io.contextstore.table.TableLocation;
import io.contextstore.table.TableReader;
import io.contextstore.table.WatermarkMismatchException;
import io.contextstore.view.BaseVersion;
import io.contextstore.view.Ownership;
import io.contextstore.view.StoreId;

/**
 * The write step of index upkeep: no lock, any amount of time. Safe for use by many threads, each
 * with a plan of its own.
 */
public final class IndexWriter {
  private final BaseTables tables;
  private final Ownership ownership;

  /**
   * Makes a writer.
   *
   * @param ownership takes a table anew after an unknown outcome
   */
  public IndexWriter(BaseTables tables, Ownership ownership) {
    this.tables = tables;
    this.ownership = ownership;
  }

  /** Brings the index of the plan's store up to date. Does not throw what storage does. */
  IndexResult write(IndexPlan plan, MaintenancePolicy policy) {
    StoreId id = plan.store().id();
    TableLocation location = ownership.location(id);
    try {
      IndexOutcome outcome =
          tables.upkeepIndex(location, ownership.epoch(), plan.watermark(), policy.index());
      return switch (outcome) {
        case IndexOutcome.Done done -> {
          ownership.remember(id, done.version(), plan.watermark());
          yield new IndexResult.Indexed(
              new BaseVersion(tables.openReader(location, done.version())));
        }
        case IndexOutcome.NotDue notDue -> new IndexResult.NotDue();
        case IndexOutcome.Conflict conflict ->
            new IndexResult.Failed(
                new IllegalStateException("conflict: " + conflict.reason()), false);
        case IndexOutcome.Unknown unknown -> takenAnew(plan, policy, unknown.cause());
      };
    } catch (NotOwnerException | WatermarkMismatchException e) {
      // The table is not what the store believes it to be: only a fresh look helps.
      return new IndexResult.Failed(e, true);
    } catch (RuntimeException e) {
      // The table may have an index or a floor more than the view knows, but no row; the next pass
      // reads the newest version anyway.
      return new IndexResult.Failed(e, false);
    }
  }

  private IndexResult takenAnew(IndexPlan plan, MaintenancePolicy policy, Throwable cause) {
    Ownership.Taken taken;
    try {
      taken = ownership.take(plan.store().id());
    } catch (RuntimeException e) {
      e.addSuppressed(cause);
      return new IndexResult.Failed(e, true);
    }
    TableReader reader = taken.reader();
    if (taken.watermark() == plan.watermark() && !policy.index().isDue(reader.indexState())) {
      return new IndexResult.Indexed(new BaseVersion(reader));
    }
    reader.close();
    return new IndexResult.Failed(cause, taken.watermark() != plan.watermark());
  }
}
