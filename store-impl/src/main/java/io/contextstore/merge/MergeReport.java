package io.contextstore.merge;

import java.time.Duration;

/** Learns how long the phases of a write step take, as they end. */
@FunctionalInterface
public interface MergeReport {
  /** A phase ended, well or not. */
  void phase(MergeOutcome.Phase phase, Duration duration);
}
