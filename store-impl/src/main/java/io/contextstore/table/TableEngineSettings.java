package io.contextstore.table;

/**
 * Sizes of a {@link TableEngine}.
 *
 * @param indexCacheBytes bound of Lance's index cache, shared by all tables
 * @param metadataCacheBytes bound of Lance's metadata cache, shared by all tables
 * @param requestPlanners most planner threads for requests
 * @param maintenancePlanners most planner threads for merges, so that these never take a request's
 * @param stackBytes stack of a planner thread, at least {@link #MIN_STACK_BYTES}
 */
public record TableEngineSettings(
    long indexCacheBytes,
    long metadataCacheBytes,
    int requestPlanners,
    int maintenancePlanners,
    long stackBytes) {
  /** The least stack on which a filter may be planned. */
  public static final long MIN_STACK_BYTES = 16L << 20;

  private static final int DEFAULT_REQUEST_PLANNERS = 32;
  private static final int DEFAULT_MAINTENANCE_PLANNERS = 4;

  public TableEngineSettings {
    if (indexCacheBytes < 0 || metadataCacheBytes < 0) {
      throw new IllegalArgumentException("cache sizes must not be negative");
    }
    if (requestPlanners < 1 || maintenancePlanners < 1) {
      throw new IllegalArgumentException("there must be planner threads");
    }
    if (stackBytes < MIN_STACK_BYTES) {
      throw new IllegalArgumentException("planner stacks must have " + MIN_STACK_BYTES + " bytes");
    }
  }

  /** Default threads and stacks with the given cache bounds. */
  public static TableEngineSettings withCaches(long indexCacheBytes, long metadataCacheBytes) {
    return new TableEngineSettings(
        indexCacheBytes,
        metadataCacheBytes,
        DEFAULT_REQUEST_PLANNERS,
        DEFAULT_MAINTENANCE_PLANNERS,
        2 * MIN_STACK_BYTES);
  }
}
