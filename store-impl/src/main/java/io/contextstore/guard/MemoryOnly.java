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
  public static <T> T call(String method, Supplier<T> work) {
    METHOD.set(method);
    try {
      return work.get();
    } finally {
      METHOD.remove();
    }
  }

  /** The same for work without a result. */
  public static void run(String method, Runnable work) {
    METHOD.set(method);
    try {
      work.run();
    } finally {
      METHOD.remove();
    }
  }

  /** Throws {@link IllegalStateException} when the current thread may touch memory only. */
  public static void checkIoAllowed() {
    String method = METHOD.get();
    if (method != null) {
      throw new IllegalStateException("I/O under the coordinator's lock, in " + method);
    }
  }
}
