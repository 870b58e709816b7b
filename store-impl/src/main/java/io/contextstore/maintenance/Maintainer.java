package io.contextstore.maintenance;

import io.contextstore.api.error.OverloadedException;
import io.contextstore.log.LogException;
import io.contextstore.log.SealOutcome;
import io.contextstore.merge.MergeWriter;
import io.contextstore.metrics.EngineMetrics;
import io.contextstore.metrics.EngineMetrics.FlushResult;
import io.contextstore.table.Deadline;
import io.contextstore.view.Pin;
import io.contextstore.view.Store;
import io.contextstore.view.StoreEvents;
import io.contextstore.view.StoreId;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;

/**
 * Seals and merges: on events at once, on ticks what events missed, on request with an answer. All
 * triggers take the same guarded path through the coordinator, and a store is never worked on twice
 * at a time. Safe for use by many threads; a tick only plans, the work runs on the executor.
 */
public final class Maintainer implements StoreEvents {
  private static final Logger LOGGER = System.getLogger(Maintainer.class.getName());
  private static final Duration RETRY = Duration.ofSeconds(5);
  private static final Duration SEAL_PAUSE = Duration.ofSeconds(1);
  private static final Duration RELIEF_PATIENCE = Duration.ofSeconds(30);

  private final Coordinator coordinator;
  private final MergePasses passes;
  private final MaintenancePolicy policy;
  private final Executor executor;
  private final ScheduledExecutorService timer;
  private final EngineMetrics metrics;
  private final Backoff backoff = new Backoff(System::nanoTime);
  private final Set<StoreId> submitted = ConcurrentHashMap.newKeySet();
  private final Set<StoreId> sealsAhead = ConcurrentHashMap.newKeySet();
  private final AtomicBoolean relieving = new AtomicBoolean();
  private volatile Supplier<List<Store>> stores = List::of;

  /**
   * Makes a maintainer that knows no stores yet.
   *
   * @param executor runs passes; bounded
   * @param timer starts seals that were put off
   */
  public Maintainer(
      Coordinator coordinator,
      MergeWriter writer,
      MaintenancePolicy policy,
      Executor executor,
      ScheduledExecutorService timer,
      EngineMetrics metrics) {
    this.coordinator = coordinator;
    this.passes = new MergePasses(coordinator, writer, metrics);
    this.policy = policy;
    this.executor = executor;
    this.timer = timer;
    this.metrics = metrics;
  }

  /** Tells which stores are open; before the first tick. */
  public void watch(Supplier<List<Store>> openStores) {
    stores = openStores;
  }

  /** When maintenance is due. */
  public MaintenancePolicy policy() {
    return policy;
  }

  @Override
  public void sealed(Store store) {
    submit(store, MergeTrigger.COUNT);
  }

  @Override
  public void memoryLow() {
    if (!relieving.compareAndSet(false, true)) {
      return;
    }
    try {
      executor.execute(
          () -> {
            try {
              relieve();
            } finally {
              relieving.set(false);
            }
          });
    } catch (RejectedExecutionException busy) {
      // Passes are running already, and the next append asks again.
      relieving.set(false);
    }
  }

  /** Seals and merges the store that holds most memory. */
  private void relieve() {
    stores.get().stream()
        .max(Comparator.comparingLong(Maintainer::pendingBytes))
        .ifPresent(
            store -> {
              try {
                await(seal(store), Deadline.after(RELIEF_PATIENCE), "the flush");
              } catch (OverloadedException e) {
                LOGGER.log(Level.WARNING, "Memory is low and store " + store.id() + " stays", e);
                return;
              }
              mergeInBackground(store, MergeTrigger.MEMORY);
            });
  }

  private static long pendingBytes(Store store) {
    try (Pin pin = store.pin()) {
      return pin.view().newestFirst().stream().mapToLong(g -> g.bytes()).sum();
    } catch (OverloadedException closing) {
      return 0;
    }
  }

  /** Seals what is not empty. Does not wait. */
  public void flushTick() {
    for (Store store : stores.get()) {
      seal(store);
    }
  }

  /** Merges what has been pending for a while. Does not wait. */
  public void cleanupTick() {
    for (Store store : stores.get()) {
      submit(store, MergeTrigger.CLEANUP);
    }
  }

  /** Starts a seal and counts how it ends. */
  private CompletionStage<SealOutcome> seal(Store store) {
    CompletionStage<SealOutcome> seal;
    try {
      seal = store.seal();
    } catch (LogException e) {
      seal = CompletableFuture.failedStage(e);
    }
    String kind = store.id().kind().label();
    return seal.whenComplete(
        (outcome, error) -> {
          if (error != null) {
            metrics.flush(kind, FlushResult.FAILED);
            LOGGER.log(Level.WARNING, "The flush of store " + store.id() + " failed", error);
          } else if (outcome instanceof SealOutcome.Sealed) {
            metrics.flush(kind, FlushResult.OK);
          }
        });
  }

  private void submit(Store store, MergeTrigger trigger) {
    if (!backoff.mayTry(store.id()) || !submitted.add(store.id())) {
      return;
    }
    try {
      executor.execute(
          () -> {
            submitted.remove(store.id());
            mergeInBackground(store, trigger);
          });
    } catch (RejectedExecutionException busy) {
      // The next tick finds the store again.
      submitted.remove(store.id());
    }
  }

  private void mergeInBackground(Store store, MergeTrigger trigger) {
    try {
      if (coordinator.prepareMerge(store, trigger, policy.limits())
          instanceof PreparedMerge.Ready ready) {
        int merged = passes.run(ready.plan());
        if (merged > 0) {
          backoff.succeeded(store.id());
          // What is still due is another pass, behind those of other stores.
          submit(store, trigger);
        } else {
          backoff.failed(store.id());
        }
      }
    } catch (RuntimeException e) {
      backoff.failed(store.id());
      LOGGER.log(Level.WARNING, "The merge of store " + store.id() + " was not carried out", e);
    }
  }

  /**
   * Seals within a second, together with all that ask for it meanwhile: for stores whose every
   * append asks for a seal. The rows are durable and visible without it.
   */
  public void sealSoon(Store store) {
    if (!sealsAhead.add(store.id())) {
      return;
    }
    try {
      ScheduledFuture<?> unused =
          timer.schedule(
              () -> {
                sealsAhead.remove(store.id());
                seal(store);
              },
              SEAL_PAUSE.toMillis(),
              TimeUnit.MILLISECONDS);
    } catch (RejectedExecutionException stopping) {
      sealsAhead.remove(store.id());
    }
  }

  /** Seals the memtable and waits for it. */
  public void flush(Store store, Deadline deadline) {
    await(seal(store), deadline, "the flush");
  }

  /**
   * Seals, then merges until nothing that was acknowledged before the call is pending. Waits for a
   * running pass and then does its own.
   *
   * @return how many generations the passes of this call merged
   */
  public int mergeAll(Store store, Deadline deadline) {
    await(seal(store), deadline, "the flush");
    long newest = newestPending(store);
    int merged = 0;
    while (oldestPending(store) <= newest) {
      switch (coordinator.prepareMerge(store, MergeTrigger.REQUESTED, policy.limits())) {
        case PreparedMerge.Busy busy -> await(busy.whenFree(), deadline, "a running merge");
        case PreparedMerge.NotDue notDue -> {
          return merged;
        }
        case PreparedMerge.Ready ready -> {
          int generations = runAndWait(ready, deadline);
          if (generations == 0) {
            throw OverloadedException.notFinished(
                "the merge failed; its rows stay readable and it is tried again", RETRY, null);
          }
          merged += generations;
        }
      }
    }
    return merged;
  }

  /** The pass runs on the executor: it must go on when its requester stops waiting. */
  private int runAndWait(PreparedMerge.Ready ready, Deadline deadline) {
    CompletableFuture<Integer> pass = new CompletableFuture<>();
    try {
      executor.execute(
          () -> {
            try {
              pass.complete(passes.run(ready.plan()));
            } catch (RuntimeException | Error e) {
              pass.completeExceptionally(e);
            }
          });
    } catch (RejectedExecutionException e) {
      ready.plan().release();
      throw OverloadedException.notFinished("all maintenance threads are busy", RETRY, e);
    }
    return await(pass, deadline, "the merge");
  }

  private static long newestPending(Store store) {
    try (Pin pin = store.pin()) {
      var sealed = pin.view().sealed();
      return sealed.isEmpty() ? 0 : sealed.getLast().segment();
    }
  }

  private static long oldestPending(Store store) {
    try (Pin pin = store.pin()) {
      var sealed = pin.view().sealed();
      return sealed.isEmpty() ? Long.MAX_VALUE : sealed.getFirst().segment();
    }
  }

  private static <T> T await(CompletionStage<T> stage, Deadline deadline, String what) {
    try {
      return stage
          .toCompletableFuture()
          .get(Math.max(0, deadline.remainingNanos()), TimeUnit.NANOSECONDS);
    } catch (TimeoutException e) {
      throw OverloadedException.notFinished(what + " is still running", RETRY, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw OverloadedException.notFinished("the wait for " + what + " was interrupted", RETRY, e);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof LogException || e.getCause() == null) {
        throw OverloadedException.notFinished(what + " failed", RETRY, e);
      }
      if (e.getCause() instanceof RuntimeException cause) {
        throw cause;
      }
      throw new IllegalStateException(what + " failed", e);
    }
  }
}
