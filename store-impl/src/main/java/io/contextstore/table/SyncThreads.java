package io.contextstore.table;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Syncs many files at once. A journalling file system commits its journal for each sync that comes
 * alone, but once for all that wait together: sixty deletion vectors of a merge took 150–500 ms one
 * after the other and 4–13 ms like this, and so many fewer journal commits stand in the way of the
 * log's own syncs.
 */
final class SyncThreads implements AutoCloseable {
  private static final int THREADS = 16;
  private static final Duration IDLE = Duration.ofSeconds(30);
  private static final Duration CLOSE_WAIT = Duration.ofSeconds(30);

  private final FileSync sync;
  private final ThreadPoolExecutor threads;

  SyncThreads(FileSync sync) {
    this.sync = sync;
    AtomicInteger number = new AtomicInteger();
    threads =
        new ThreadPoolExecutor(
            THREADS,
            THREADS,
            IDLE.toMillis(),
            TimeUnit.MILLISECONDS,
            new LinkedBlockingQueue<>(),
            work -> {
              Thread thread = new Thread(work, "table-sync-" + number.incrementAndGet());
              thread.setDaemon(true);
              return thread;
            });
    threads.allowCoreThreadTimeOut(true);
  }

  /**
   * Returns when all of them are on disk; throws what went wrong first, with the rest suppressed.
   */
  void syncAll(List<Path> filesOrFolders) throws IOException {
    if (filesOrFolders.size() == 1) {
      sync.sync(filesOrFolders.getFirst());
      return;
    }
    List<Future<?>> running = new ArrayList<>(filesOrFolders.size());
    for (Path path : filesOrFolders) {
      running.add(
          threads.submit(
              () -> {
                sync.sync(path);
                return null;
              }));
    }
    Failures failures = new Failures();
    for (Future<?> one : running) {
      try {
        one.get();
      } catch (ExecutionException e) {
        failures.add(e.getCause() instanceof IOException io ? io : new IOException(e));
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        InterruptedIOException interrupted = new InterruptedIOException("a sync was interrupted");
        interrupted.initCause(e);
        throw interrupted;
      }
    }
    failures.throwIfAny();
  }

  private static final class Failures {
    private final List<IOException> all = new ArrayList<>();

    void add(IOException failure) {
      all.add(failure);
    }

    void throwIfAny() throws IOException {
      if (!all.isEmpty()) {
        IOException first = all.getFirst();
        all.stream().skip(1).filter(other -> !other.equals(first)).forEach(first::addSuppressed);
        throw first;
      }
    }
  }

  /** Waits for the syncs that run. */
  @Override
  public void close() {
    threads.shutdown();
    try {
      if (!threads.awaitTermination(CLOSE_WAIT.toMillis(), TimeUnit.MILLISECONDS)) {
        throw new TableException("syncs of table files still run");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new TableInterruptedException("closing the sync threads was interrupted", e);
    }
  }
}
