package io.contextstore.maintenance;

import io.contextstore.view.StoreId;
import java.time.Duration;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.LongSupplier;

/**
 * Keeps background merges of a store that fails from being tried again at once: the pause doubles
 * with each failure in a row, with jitter, up to a minute. Safe for use by many threads.
 */
final class Backoff {
  private static final Duration FIRST = Duration.ofSeconds(1);
  private static final Duration LONGEST = Duration.ofMinutes(1);
  private static final int MOST_DOUBLINGS = 6;

  private record Failures(int inARow, long notBeforeNanos) {}

  private final ConcurrentMap<StoreId, Failures> failures = new ConcurrentHashMap<>();
  private final LongSupplier nanoClock;

  Backoff(LongSupplier nanoClock) {
    this.nanoClock = nanoClock;
  }

  boolean mayTry(StoreId id) {
    Failures known = failures.get(id);
    return known == null || nanoClock.getAsLong() - known.notBeforeNanos >= 0;
  }

  void succeeded(StoreId id) {
    failures.remove(id);
  }

  void failed(StoreId id) {
    failures.compute(id, (key, known) -> next(known == null ? 0 : known.inARow));
  }

  private Failures next(int before) {
    long pause = FIRST.toNanos() << Math.min(before, MOST_DOUBLINGS);
    pause = Math.min(pause, LONGEST.toNanos());
    long jitter = ThreadLocalRandom.current().nextLong(pause / 4 + 1);
    return new Failures(before + 1, nanoClock.getAsLong() + pause + jitter);
  }
}
