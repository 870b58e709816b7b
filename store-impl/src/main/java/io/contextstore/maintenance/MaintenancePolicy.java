package io.contextstore.maintenance;

import io.contextstore.table.IndexLimits;
import io.contextstore.view.BaseVersion;
import java.time.Duration;

/**
 * When maintenance is due.
 *
 * @param flushInterval how often memtables that are not empty are sealed; zero is never
 * @param cleanupInterval how long a generation may stay pending; zero is for ever
 * @param limits when the count of pending generations is too high, and the size of a pass
 * @param index when the index on the key is made or brought up to date
 */
public record MaintenancePolicy(
    Duration flushInterval, Duration cleanupInterval, MergeLimits limits, IndexLimits index) {
  /** Whether the index of a table is due. Memory only. */
  boolean isIndexDue(BaseVersion base) {
    return index.isDue(base.reader().indexState());
  }
}
