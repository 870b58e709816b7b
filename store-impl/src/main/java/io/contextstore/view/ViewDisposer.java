package io.contextstore.view;

import io.contextstore.guard.MemoryOnly;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Frees the views of one store on a thread of its own and knows when the last one is gone. The
 * store counts as one user until {@link #close}.
 */
final class ViewDisposer {
  private static final Logger LOGGER = System.getLogger(ViewDisposer.class.getName());

  private final Executor executor;
  private final Queue<Runnable> waiting = new ConcurrentLinkedQueue<>();
  private final AtomicInteger users = new AtomicInteger(1);
  private final CompletableFuture<Void> gone = new CompletableFuture<>();

  ViewDisposer(Executor executor) {
    this.executor = executor;
  }

  void viewCreated() {
    users.incrementAndGet();
  }

  /** Runs {@code freeing} for one view that was created. Does no I/O itself. */
  void dispose(Runnable freeing) {
    waiting.add(freeing);
    try {
      executor.execute(this::freeWaiting);
    } catch (RejectedExecutionException stopping) {
      // The server stops, or its queue is full. Whoever may do I/O frees what waits; whoever holds
      // the coordinator's lock leaves it to the next one.
      if (MemoryOnly.ioAllowed()) {
        freeWaiting();
      }
    }
  }

  private void freeWaiting() {
    for (Runnable freeing = waiting.poll(); freeing != null; freeing = waiting.poll()) {
      try {
        freeing.run();
      } catch (RuntimeException | Error e) {
        LOGGER.log(Level.ERROR, "A view was not freed as a whole", e);
      } finally {
        release();
      }
    }
  }

  /** No view will be created any more. */
  void close() {
    release();
  }

  /** Completes when the store is closed and every view of it is freed. */
  CompletionStage<Void> whenAllGone() {
    return gone;
  }

  private void release() {
    if (users.decrementAndGet() == 0) {
      gone.complete(null);
    }
  }
}
