package io.contextstore.guard;

/**
 * A mark on the current thread: what runs now holds the coordinator's lock and may touch memory
 * only. The check is a thread-local read, cheap beside any I/O, so it is always on.
 */
public final class MemoryOnly implements AutoCloseable {
  private static final ThreadLocal<MemoryOnly> CURRENT = new ThreadLocal<>();

  private final String method;

  private MemoryOnly(String method) {
    this.method = method;
  }

  /** Marks the thread until the result is closed. {@code method} names the holder in errors. */
  public static MemoryOnly enter(String method) {
    MemoryOnly mark = new MemoryOnly(method);
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

  @Override
  public void close() {
    CURRENT.remove();
  }
}
