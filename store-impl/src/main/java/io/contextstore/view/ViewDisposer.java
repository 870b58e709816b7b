package io.contextstore.view;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Frees the views of one store on a thread of its own and knows when the last one is gone. The
 * store counts as one user until {@link #close}.
 */
final class ViewDisposer {
  private final Executor executor;
  private final AtomicInteger users = new AtomicInteger(1);
  private final CompletableFuture<Void> gone = new CompletableFuture<>();

  ViewDisposer(Executor executor) {
    this.executor = executor;
  }

  void viewCreated() {
    users.incrementAndGet();
  }

  void dispose(Runnable freeing) {
    Runnable task =
        () -> {
          try {
            freeing.run();
          } finally {
            release();
          }
        };
    try {
      executor.execute(task);
    } catch (RejectedExecutionException stopping) {
      // The server stops, or its queue is full: freeing late is worse than freeing here.
      task.run();
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
