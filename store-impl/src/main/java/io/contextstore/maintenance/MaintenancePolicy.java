package io.contextstore.maintenance;

import java.time.Duration;

/**
 * When maintenance is due.
 *
 * @param flushInterval how often memtables that are not empty are sealed; zero is never
 * @param cleanupInterval how long a generation may stay pending; zero is for ever
 * @param limits when the count of pending generations is too high, and the size of a pass
 */
public record MaintenancePolicy(
    Duration flushInterval, Duration cleanupInterval, MergeLimits limits) {}
