package io.contextstore.generation;

import java.util.concurrent.atomic.AtomicLong;

/**
 * One bound for the memory of all memtables and sealed generations of the process. Reserving never
 * waits: over the bound the caller is refused. Safe for use by many threads.
 */
public final class MemoryBudget {
  private final long maxBytes;
  private final AtomicLong used = new AtomicLong();

  /** A budget of {@code maxBytes}. */
  public MemoryBudget(long maxBytes) {
    this.maxBytes = maxBytes;
  }

  /** Takes {@code bytes}, or nothing when they do not fit. */
  public boolean tryReserve(long bytes) {
    long now = used.get();
    while (now + bytes <= maxBytes) {
      long seen = used.compareAndExchange(now, now + bytes);
      if (seen == now) {
        return true;
      }
      now = seen;
    }
    return false;
  }

  /** Takes {@code bytes} even over the bound: for rows that are durable already. */
  public void reserve(long bytes) {
    used.addAndGet(bytes);
  }

  /** Gives {@code bytes} back. */
  public void release(long bytes) {
    used.addAndGet(-bytes);
  }

  /** Bytes taken now. */
  public long used() {
    return used.get();
  }

  /** The bound. */
  public long maxBytes() {
    return maxBytes;
  }

  /** Whether more than three quarters are taken, so that seals and merges should make room. */
  public boolean isNearlyFull() {
    return used.get() > maxBytes - maxBytes / 4;
  }
}
