package io.contextstore.table;

import java.time.Duration;

/**
 * A moment on this process's monotonic clock after which a caller no longer waits.
 *
 * @param nanoTime the moment, in {@link System#nanoTime()}'s terms
 * @param bounded whether there is one at all
 */
public record Deadline(long nanoTime, boolean bounded) {
  private static final Deadline NONE = new Deadline(0, false);

  /** A deadline that never passes. */
  public static Deadline none() {
    return NONE;
  }

  /** The moment after that much time from now. */
  public static Deadline after(Duration wait) {
    return new Deadline(System.nanoTime() + wait.toNanos(), true);
  }

  /** Nanoseconds that are left, zero or less when it has passed. */
  public long remainingNanos() {
    return bounded ? nanoTime - System.nanoTime() : Long.MAX_VALUE;
  }
}
