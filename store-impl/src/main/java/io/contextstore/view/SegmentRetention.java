package io.contextstore.view;

import io.contextstore.generation.MemoryBudget;
import io.contextstore.generation.Memtable;
import io.contextstore.log.WriteAheadLog;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.NavigableSet;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Which log segments are still needed. A segment may go when its rows are in the base table and no
 * view holds its generation any more. Safe for use by many threads; the removal itself runs on the
 * disposer's threads.
 */
final class SegmentRetention {
  private static final Logger LOGGER = System.getLogger(SegmentRetention.class.getName());

  private final WriteAheadLog log;
  private final MemoryBudget budget;
  private final Executor executor;
  private final NavigableSet<Long> inUse = new ConcurrentSkipListSet<>();
  private final AtomicLong watermark;
  private final AtomicInteger requests = new AtomicInteger();
  private volatile boolean closed;

  SegmentRetention(WriteAheadLog log, MemoryBudget budget, Executor executor, long watermark) {
    this.log = log;
    this.budget = budget;
    this.executor = executor;
    this.watermark = new AtomicLong(watermark);
  }

  /** Opens a memtable whose segment is needed until its memory is freed. */
  Memtable openMemtable(long segment, long visibleLsn) {
    inUse.add(segment);
    return Memtable.open(segment, visibleLsn, cost -> freed(segment, cost));
  }

  /** The rows of all segments up to {@code segment} are in the base table, durably. */
  void merged(long segment) {
    watermark.accumulateAndGet(segment, Math::max);
  }

  /** Removes nothing any more; what is left goes at the next open. */
  void close() {
    closed = true;
  }

  private void freed(long segment, long cost) {
    budget.release(cost);
    inUse.remove(segment);
    // The log wants one remover at a time: whoever raises the count from zero works for all.
    if (segment <= watermark.get() && requests.getAndIncrement() == 0) {
      executor.execute(this::drop);
    }
  }

  private void drop() {
    int seen;
    do {
      seen = requests.get();
      if (!closed) {
        dropUnused();
      }
    } while (requests.addAndGet(-seen) != 0);
  }

  private void dropUnused() {
    long through = watermark.get();
    Long oldestInUse = inUse.ceiling(0L);
    if (oldestInUse != null) {
      through = Math.min(through, oldestInUse - 1);
    }
    try {
      log.dropThrough(through);
    } catch (RuntimeException e) {
      LOGGER.log(
          Level.WARNING,
          "Log segments up to " + through + " could not be removed; the next merge tries again",
          e);
    }
  }
}
