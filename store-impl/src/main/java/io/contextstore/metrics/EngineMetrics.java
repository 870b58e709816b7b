package io.contextstore.metrics;

import java.time.Duration;

/** Receives what the engine counts. Implementations must be fast, thread-safe and never throw. */
public interface EngineMetrics {
  /** How a seal ended. */
  enum FlushResult {
    OK,
    FAILED,
    TIMEOUT
  }

  /** How a merge ended. */
  enum CleanupResult {
    MERGED,
    NOOP,
    FAILED,
    TIMEOUT
  }

  /** How the upkeep of an index ended. */
  enum IndexResult {
    OK,
    FAILED
  }

  /** A seal ended. */
  void flush(String kind, FlushResult result);

  /** A merge ended. */
  void cleanup(String kind, CleanupResult result);

  /** A merge took generations out of the pending ones. */
  void reclaimed(String kind, int generations);

  /** A phase of a merge took so long. */
  void mergePhase(String phase, Duration duration);

  /** A phase of a merge failed. */
  void mergeError(String phase);

  /** The upkeep of an index ended. */
  void index(String kind, IndexResult result);
}
