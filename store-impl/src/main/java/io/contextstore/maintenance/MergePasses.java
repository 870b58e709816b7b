package io.contextstore.maintenance;

import io.contextstore.merge.MergeOutcome;
import io.contextstore.merge.MergePlan;
import io.contextstore.merge.MergeWriter;
import io.contextstore.metrics.EngineMetrics;
import io.contextstore.metrics.EngineMetrics.CleanupResult;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Locale;

/**
 * Runs one prepared merge from write to commit, on the thread that calls, and says what became of
 * it. Whatever comes after the commit only warns: a merge that committed is never reported as
 * failed.
 */
final class MergePasses {
  private static final Logger LOGGER = System.getLogger(MergePasses.class.getName());

  private final Coordinator coordinator;
  private final MergeWriter writer;
  private final EngineMetrics metrics;

  MergePasses(Coordinator coordinator, MergeWriter writer, EngineMetrics metrics) {
    this.coordinator = coordinator;
    this.writer = writer;
    this.metrics = metrics;
  }

  /** Writes and commits, or abandons. Returns how many generations were merged. */
  int run(MergePlan plan) {
    long start = System.nanoTime();
    MergeOutcome outcome = write(plan);
    commit(plan, outcome);
    Duration took = Duration.ofNanos(System.nanoTime() - start);
    try {
      return report(plan, outcome, took);
    } catch (RuntimeException e) {
      LOGGER.log(Level.WARNING, "The merge of " + plan.store().id() + " was not reported", e);
      return outcome instanceof MergeOutcome.Merged ? plan.generations().size() : 0;
    }
  }

  private void commit(MergePlan plan, MergeOutcome outcome) {
    try {
      switch (outcome) {
        case MergeOutcome.Merged merged -> coordinator.commitMerge(plan, merged);
        case MergeOutcome.Failed failed -> coordinator.abandonMerge(plan, failed);
      }
    } catch (RuntimeException e) {
      // The table may have moved and the view has not: only table and log together tell the truth.
      // Seen when the container stops under a running merge.
      plan.store().fail(e);
      plan.release();
      throw e;
    }
  }

  private MergeOutcome write(MergePlan plan) {
    try {
      return writer.write(
          plan,
          (phase, duration) -> metrics.mergePhase(phase.name().toLowerCase(Locale.ROOT), duration));
    } catch (RuntimeException | Error e) {
      // The writer does not throw; if it does, nobody knows how far it came.
      return new MergeOutcome.Failed(MergeOutcome.Phase.COMMIT, e, true);
    }
  }

  private int report(MergePlan plan, MergeOutcome outcome, Duration took) {
    String kind = plan.store().id().kind().label();
    int generations = plan.generations().size();
    return switch (outcome) {
      case MergeOutcome.Merged merged -> {
        metrics.cleanup(kind, CleanupResult.MERGED);
        metrics.reclaimed(kind, generations);
        LOGGER.log(
            Level.INFO,
            "Merged {0} generations of store {1}: {2} rows written, {3} replaced, version {4}, {5}"
                + " ms",
            generations,
            plan.store().id(),
            Long.toString(merged.rows()),
            Long.toString(merged.replaced()),
            Long.toString(merged.base().version()),
            Long.toString(took.toMillis()));
        yield generations;
      }
      case MergeOutcome.Failed failed -> {
        metrics.cleanup(kind, CleanupResult.FAILED);
        metrics.mergeError(failed.phase().name().toLowerCase(Locale.ROOT));
        LOGGER.log(
            Level.WARNING,
            "The merge of store "
                + plan.store().id()
                + " failed in phase "
                + failed.phase().name().toLowerCase(Locale.ROOT)
                + " after "
                + took.toMillis()
                + " ms; its "
                + generations
                + " generations stay pending and are tried again",
            failed.cause());
        yield 0;
      }
    };
  }
}
