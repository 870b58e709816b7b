package io.contextstore.log;

import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Notices a call to the log that does not return. One timer at most is pending, and only while
 * there were calls during the last deadline, so a call costs two volatile writes. {@link #begin}
 * and {@link #end} are for the writer's thread, {@link #current} for any.
 */
final class CallWatch<T> {
  private static final System.Logger LOGGER = System.getLogger(CallWatch.class.getName());

  private final ScheduledExecutorService timer;
  private final long deadlineNanos;
  private final Consumer<LogCall<T>> overdue;
  private final AtomicBoolean pending = new AtomicBoolean();
  private volatile @Nullable LogCall<T> current;

  /**
   * @param overdue told on the timer's thread of a call that is past its deadline and still under
   *     way; may be told twice
   */
  CallWatch(ScheduledExecutorService timer, Duration deadline, Consumer<LogCall<T>> overdue) {
    this.timer = timer;
    this.deadlineNanos = deadline.toNanos();
    this.overdue = overdue;
  }

  void begin(LogCall<T> call) {
    current = call;
    watchFor(deadlineNanos);
  }

  void end() {
    current = null;
  }

  @Nullable LogCall<T> current() {
    return current;
  }

  private void watchFor(long nanos) {
    if (pending.get() || !pending.compareAndSet(false, true)) {
      return;
    }
    try {
      // Nobody asks this future: look catches what it meets.
      Future<?> unused = timer.schedule(this::look, nanos, TimeUnit.NANOSECONDS);
    } catch (RejectedExecutionException e) {
      pending.set(false);
      LOGGER.log(Level.WARNING, "the timer is closed: a log call is not watched", e);
    }
  }

  private void look() {
    pending.set(false);
    // Read after the flag is down: a call that began before that has seen it up and relies on us.
    LogCall<T> call = current;
    if (call == null) {
      return;
    }
    long left = deadlineNanos - (System.nanoTime() - call.startNanos());
    if (left > 0) {
      watchFor(left);
    } else {
      try {
        overdue.accept(call);
      } catch (RuntimeException | Error e) {
        LOGGER.log(Level.ERROR, "an overdue log call could not be given up", e);
      }
    }
  }
}
