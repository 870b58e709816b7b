package io.contextstore.table;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/**
 * Platform threads with a large stack, on which Lance plans filters and scans.
 *
 * <p>Lance's planner recurses over the filter in native code: on the stack of an HTTP thread, or of
 * a carrier of virtual threads, a deep filter would overflow it and kill the process. A caller that
 * gives up (deadline, interrupt) leaves the native call running; its result is then discarded by
 * the planner thread.
 */
final class PlannerThreads implements AutoCloseable {
  private static final Duration IDLE = Duration.ofSeconds(30);
  private static final Duration CLOSE_WAIT = Duration.ofSeconds(30);

  private final String name;
  private final ThreadPoolExecutor threads;

  PlannerThreads(String name, int size, long stackBytes) {
    this.name = name;
    AtomicInteger number = new AtomicInteger();
    threads =
        new ThreadPoolExecutor(
            size,
            size,
            IDLE.toMillis(),
            TimeUnit.MILLISECONDS,
            new LinkedBlockingQueue<>(),
            work -> {
              String threadName = name + "-" + number.incrementAndGet();
              Thread thread = new Thread(null, work, threadName, stackBytes);
              // A native call that hangs must not keep the process from ending.
              thread.setDaemon(true);
              return thread;
            });
    threads.allowCoreThreadTimeOut(true);
  }

  /**
   * Runs {@code work} on a planner thread and waits for it.
   *
   * @param discard frees a result that nobody waits for any more
   * @throws TableTimeoutException when the deadline passes first
   * @throws TableInterruptedException when the caller is interrupted first
   * @throws ExecutionException with what {@code work} threw
   */
  <T> T call(String what, Deadline deadline, Callable<T> work, Consumer<? super T> discard)
      throws ExecutionException {
    CompletableFuture<T> answer = new CompletableFuture<>();
    submit(what, () -> run(answer, work, discard));
    TableException gaveUp;
    try {
      return deadline.bounded()
          ? answer.get(Math.max(0, deadline.remainingNanos()), TimeUnit.NANOSECONDS)
          : answer.get();
    } catch (TimeoutException e) {
      gaveUp = new TableTimeoutException(what + " did not finish before its deadline");
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      gaveUp = new TableInterruptedException(what + " was interrupted", e);
    }
    // From here on the planner thread finds the future completed and discards its result. If it was
    // faster than this line, the result is ours to discard.
    if (!answer.completeExceptionally(gaveUp) && !answer.isCompletedExceptionally()) {
      discard.accept(answer.join());
    }
    throw gaveUp;
  }

  private void submit(String what, Runnable work) {
    try {
      threads.execute(work);
    } catch (RejectedExecutionException e) {
      throw new TableException(what + " came after " + name + " was closed", e);
    }
  }

  // Whatever the native side throws belongs to the waiting caller.
  @SuppressWarnings("CatchingUnchecked")
  private static <T> void run(
      CompletableFuture<T> answer, Callable<T> work, Consumer<? super T> discard) {
    if (answer.isDone()) {
      return;
    }
    try {
      T result = work.call();
      if (!answer.complete(result)) {
        discard.accept(result);
      }
    } catch (Throwable e) {
      answer.completeExceptionally(e);
    }
  }

  /** Waits for the calls that run; one that hangs is left to its daemon thread and reported. */
  @Override
  public void close() {
    threads.shutdown();
    try {
      if (!threads.awaitTermination(CLOSE_WAIT.toMillis(), TimeUnit.MILLISECONDS)) {
        throw new TableException(name + " still has native calls running");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new TableInterruptedException("closing " + name + " was interrupted", e);
    }
  }
}
