package io.contextstore.log;

import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * One call to the log that is under way. Two may want to end it: the thread that made it and the
 * watch that guards its deadline. Whoever {@link #settle settles} it first decides what its entries
 * hear; the other one keeps quiet.
 */
final class LogCall<T> {
  private final List<? extends LogEntry<T>> entries;
  private final long startNanos;
  private final AtomicBoolean settled = new AtomicBoolean();

  LogCall(List<? extends LogEntry<T>> entries, long startNanos) {
    this.entries = entries;
    this.startNanos = startNanos;
  }

  List<? extends LogEntry<T>> entries() {
    return entries;
  }

  long startNanos() {
    return startNanos;
  }

  boolean settle() {
    return settled.compareAndSet(false, true);
  }
}
