package io.contextstore.merge;

import io.contextstore.merge.MergeOutcome.Phase;
import io.contextstore.table.BaseTables;
import io.contextstore.table.CommitOutcome;
import io.contextstore.table.FoundRows;
import io.contextstore.table.MergePass;
import io.contextstore.table.NotOwnerException;
import io.contextstore.table.TableReader;
import io.contextstore.table.WatermarkMismatchException;
import io.contextstore.view.BaseVersion;
import io.contextstore.view.Ownership;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Optional;
import org.apache.arrow.memory.BufferAllocator;

/**
 * The write step of a merge: no lock, any amount of time. Safe for use by many threads, each with a
 * plan of its own.
 */
public final class MergeWriter {
  private static final Logger LOGGER = System.getLogger(MergeWriter.class.getName());
  private static final int MOST_TRIES = 4;

  private final BaseTables tables;
  private final BufferAllocator allocator;
  private final Ownership ownership;

  /**
   * Makes a writer.
   *
   * @param allocator for the batches that are gathered
   * @param ownership takes a table anew after an unknown outcome
   */
  public MergeWriter(BaseTables tables, BufferAllocator allocator, Ownership ownership) {
    this.tables = tables;
    this.allocator = allocator;
    this.ownership = ownership;
  }

  /** Folds the plan's generations into the base table. Does not throw what storage does. */
  public MergeOutcome write(MergePlan plan, MergeReport report) {
    Phases phases = new Phases(report);
    try {
      return tryUntilSettled(plan, phases);
    } catch (NotOwnerException | WatermarkMismatchException e) {
      // The table is not what the store believes it to be: only a fresh look helps.
      return new MergeOutcome.Failed(phases.current(), e, true);
    } catch (RuntimeException e) {
      // Before the commit nothing has moved, and after it only opening the reader is left.
      return new MergeOutcome.Failed(phases.current(), e, phases.current() == Phase.OPEN);
    } finally {
      phases.end();
    }
  }

  private MergeOutcome tryUntilSettled(MergePlan plan, Phases phases) {
    Throwable last = new IllegalStateException("not tried");
    for (int tries = 0; tries < MOST_TRIES; tries++) {
      Optional<Throwable> failure = tries == 0 ? Optional.empty() : plan.store().failure();
      if (failure.isPresent()) {
        // It is opened again, or will be: what is left to merge then is no business of this pass.
        return new MergeOutcome.Failed(phases.current(), failure.get(), false);
      }
      Counts counts = new Counts();
      CommitOutcome outcome = pass(plan, phases, counts);
      switch (outcome) {
        case CommitOutcome.Committed committed -> {
          return merged(plan, committed.version(), counts);
        }
        case CommitOutcome.Conflict conflict ->
            last = new IllegalStateException("conflict: " + conflict.reason());
        case CommitOutcome.Unknown unknown -> {
          last = unknown.cause();
          Ownership.Taken taken = ownership.take(plan.store().id());
          if (taken.watermark() >= plan.watermark()) {
            return new MergeOutcome.Merged(
                new BaseVersion(taken.reader()),
                taken.watermark(),
                counts.written,
                counts.replaced);
          }
          taken.reader().close();
        }
      }
    }
    return new MergeOutcome.Failed(Phase.COMMIT, last, false);
  }

  private CommitOutcome pass(MergePlan plan, Phases phases, Counts counts) {
    phases.enter(Phase.LOOK_UP);
    try (MergePass pass =
        tables.beginMerge(
            ownership.location(plan.store().id()), ownership.epoch(), plan.expectedWatermark())) {
      FoundRows found = pass.findRows(new GenerationKeys(plan.generations()));
      counts.replaced = found.count();
      if (found.count() > 0) {
        pass.deleteRows(found);
      }
      phases.enter(Phase.WRITE);
      try (WinnerBatches winners =
          new WinnerBatches(plan.generations(), plan.store().schema(), allocator)) {
        counts.written = pass.writeRows(plan.store().schema(), winners);
      }
      phases.enter(Phase.COMMIT);
      CommitOutcome outcome = pass.commit(plan.watermark());
      // Here, because the table may have moved: what fails from now on is not a failed merge.
      phases.enter(Phase.OPEN);
      return outcome;
    }
  }

  private MergeOutcome merged(MergePlan plan, long version, Counts counts) {
    ownership.remember(plan.store().id(), version, plan.watermark());
    TableReader reader = tables.openReader(ownership.location(plan.store().id()), version);
    return new MergeOutcome.Merged(
        new BaseVersion(reader), plan.watermark(), counts.written, counts.replaced);
  }

  /** What one try did. */
  private static final class Counts {
    private long written;
    private long replaced;
  }

  /** Which phase runs, and since when. */
  private static final class Phases {
    private final MergeReport report;
    private Phase current = Phase.LOOK_UP;
    private long since = System.nanoTime();

    Phases(MergeReport report) {
      this.report = report;
    }

    Phase current() {
      return current;
    }

    void enter(Phase next) {
      end();
      current = next;
    }

    void end() {
      long now = System.nanoTime();
      try {
        report.phase(current, Duration.ofNanos(now - since));
      } catch (RuntimeException e) {
        // A merge does not fail because nobody can count it.
        LOGGER.log(Level.WARNING, "The duration of a merge's phase was not reported", e);
      }
      since = now;
    }
  }
}
