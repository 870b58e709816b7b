package io.contextstore.maintenance;

import io.contextstore.merge.MergePlan;
import java.util.concurrent.CompletionStage;

/** The coordinator's answer to a merge that is asked for. */
public sealed interface PreparedMerge {
  /** Go ahead. The receiver must commit or abandon the plan. */
  record Ready(MergePlan plan) implements PreparedMerge {}

  /** There is nothing to merge, or not enough for this trigger. */
  record NotDue() implements PreparedMerge {}

  /** Another pass works on the store; it is over when {@code whenFree} completes. */
  record Busy(CompletionStage<Void> whenFree) implements PreparedMerge {}
}
