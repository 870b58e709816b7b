package io.contextstore.guard;

import org.jspecify.annotations.Nullable;

/**
 * A mark on the current thread: what runs now holds the coordinator's lock and may touch memory
 * only. The check is a thread-local read, cheap beside any I/O, so it is always on.
 */
public final class MemoryOnly implements AutoCloseable {
  private static final ThreadLocal<MemoryOnly> CURRENT = new ThreadLocal<>();

  private final String method;
  private final @Nullable MemoryOnly outer;

  private MemoryOnly(String method, @Nullable MemoryOnly outer) {
    this.method = method;
    this.outer = outer;
  }

  /** Marks the thread until the result is closed. {@code method} names the holder in errors. */
  public static MemoryOnly enter(String method) {
    MemoryOnly mark = new MemoryOnly(method, CURRENT.get());
    CURRENT.set(mark);
    return mark;
  }

  /** Throws {@link IllegalStateException} when the current thread may touch memory only. */
  public static void checkIoAllowed() {
    MemoryOnly mark = CURRENT.get();
    if (mark != null) {
      throw new IllegalStateException("I/O under the coordinator's lock, in " + mark.method);
    }
  }

  /** Whether the current thread may do I/O. */
  public static boolean ioAllowed() {
    return CURRENT.get() == null;
  }

  /** Takes the mark away; one that was set before it holds again. */
  @Override
  public void close() {
    if (outer == null) {
      CURRENT.remove();
    } else {
      CURRENT.set(outer);
    }
  }
}
