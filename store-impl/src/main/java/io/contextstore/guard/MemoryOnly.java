package io.contextstore.guard;

import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A mark on the current thread: what runs now holds the coordinator's lock and may touch memory
 * only. The check is a thread-local read, cheap beside any I/O, so it is always on.
 */
public final class MemoryOnly {
  private static final ThreadLocal<@Nullable String> METHOD = new ThreadLocal<>();

  private MemoryOnly() {}

  /** Runs {@code work} under the mark; {@code method} names the holder of the lock in errors. */
  public static <T extends @Nullable Object> T call(String method, Supplier<T> work) {
    @Nullable String outer = METHOD.get();
    METHOD.set(method);
    try {
      return work.get();
    } finally {
      leave(outer);
    }
  }

  /** The same for work without a result. */
  public static void run(String method, Runnable work) {
    MemoryOnly.<@Nullable Object>call(
        method,
        () -> {
          work.run();
          return null;
        });
  }

  // A mark that was set before holds again.
  private static void leave(@Nullable String outer) {
    if (outer == null) {
      METHOD.remove();
    } else {
      METHOD.set(outer);
    }
  }

  /** Whether the current thread may do I/O. */
  public static boolean ioAllowed() {
    return METHOD.get() == null;
  }

  /** Throws {@link IllegalStateException} when the current thread may touch memory only. */
  public static void checkIoAllowed() {
    String method = METHOD.get();
    if (method != null) {
      throw new IllegalStateException("I/O under the coordinator's lock, in " + method);
    }
  }
}
