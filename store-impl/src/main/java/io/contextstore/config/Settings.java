package io.contextstore.config;

import java.nio.file.Path;
import java.time.Duration;
import org.eclipse.microprofile.config.Config;

/**
 * The settings in force.
 *
 * @param dataDir the data folder
 * @param flushInterval how often memtables that are not empty are sealed; zero is never
 * @param cleanupInterval how old a pending seal may get before a merge; zero is never
 * @param mergeAfterGenerations pending generations that start a merge; 0 is never
 * @param mergeMaxGenerations the most generations that one merge takes; 0 is no bound
 * @param mergeMaxBytes the most bytes that one merge takes, though always one generation
 * @param requestDeadline how long a request waits for its result
 * @param shutdownDeadline how long a stop may take
 * @param memoryMaxBytes bound of memtables and sealed generations together
 * @param filterLimits bounds of a filter
 * @param indexLimits when the index on the key is made or brought up to date
 */
public record Settings(
    Path dataDir,
    Duration flushInterval,
    Duration cleanupInterval,
    int mergeAfterGenerations,
    int mergeMaxGenerations,
    long mergeMaxBytes,
    Duration requestDeadline,
    Duration shutdownDeadline,
    long memoryMaxBytes,
    FilterBounds filterLimits,
    IndexBounds indexLimits) {

  /**
   * Bounds of a filter; see the package {@code filter}.
   *
   * @param maxBytes of its text in UTF-8
   * @param maxOperators in all
   * @param maxDepth of nesting
   */
  public record FilterBounds(int maxBytes, int maxOperators, int maxDepth) {}

  /**
   * When the index on a store's key is made or brought up to date.
   *
   * @param minRows rows in the table from which it has an index
   * @param maxUnindexedFragments the most fragments that the index leaves out
   * @param maxUnindexedPercent the largest share of the rows that the index leaves out
   */
  public record IndexBounds(int minRows, int maxUnindexedFragments, int maxUnindexedPercent) {}

  /** Reads and checks all settings; throws {@code StartupException} on the first bad one. */
  public static Settings load(Config config) {
    return new Settings(
        Setting.folder("contextstore.data.dir", null).read(config, Path.of("./data")),
        Setting.interval("contextstore.flush.interval", "ROLLOUT_FLUSH_INTERVAL_SECS")
            .read(config, Duration.ofSeconds(30)),
        Setting.interval("contextstore.cleanup.interval", "ROLLOUT_CLEANUP_INTERVAL_SECS")
            .read(config, Duration.ofSeconds(300)),
        Setting.integer(
                "contextstore.merge.after-generations", "ROLLOUT_MERGE_AFTER_GENERATIONS", 0)
            .read(config, 8),
        Setting.integer("contextstore.merge.max-generations", "ROLLOUT_MERGE_MAX_GENERATIONS", 0)
            .read(config, 8),
        Setting.bytes("contextstore.merge.max-bytes", "ROLLOUT_MERGE_MAX_BYTES")
            .read(config, 1L << 30),
        Setting.deadline("contextstore.request.deadline", null)
            .read(config, Duration.ofSeconds(60)),
        Setting.deadline("contextstore.shutdown.deadline", null)
            .read(config, Duration.ofSeconds(30)),
        Setting.bytes("contextstore.memory.max-bytes", null)
            .read(config, MachineMemory.total() / 4),
        // The upper ends are what the package filter takes.
        new FilterBounds(
            Setting.integer("contextstore.filter.max-bytes", null, 1, 65536).read(config, 8192),
            Setting.integer("contextstore.filter.max-operators", null, 1, 256).read(config, 64),
            Setting.integer("contextstore.filter.max-depth", null, 1, 40).read(config, 32)),
        new IndexBounds(
            Setting.integer("contextstore.index.min-rows", null, 1).read(config, 10_000),
            Setting.integer("contextstore.index.max-unindexed-fragments", null, 0).read(config, 8),
            Setting.percent("contextstore.index.max-unindexed-share", null).read(config, 5)));
  }
}
