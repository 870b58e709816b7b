package io.contextstore.maintenance;

import io.contextstore.metrics.EngineMetrics;
import io.contextstore.view.Pin;
import io.contextstore.view.Store;
import io.contextstore.view.StoreId;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;

/**
 * Upkeep of the indices on the stores' keys: one store at a time in the whole process, because an
 * index takes its time and merges must find a thread meanwhile. A failure delays neither merges nor
 * other stores; what is missed for one is made up for after the next merge, or by a tick.
 */
final class IndexUpkeep {
  private static final Logger LOGGER = System.getLogger(IndexUpkeep.class.getName());

  private final Coordinator coordinator;
  private final IndexWriter writer;
  private final MaintenancePolicy policy;
  private final Executor executor;
  private final EngineMetrics metrics;
  private final Backoff backoff;
  private final Queue<Store> queue = new ConcurrentLinkedQueue<>();
  private final Set<StoreId> queued = ConcurrentHashMap.newKeySet();
  private final AtomicBoolean running = new AtomicBoolean();

  IndexUpkeep(
      Coordinator coordinator,
      IndexWriter writer,
      MaintenancePolicy policy,
      Executor executor,
      EngineMetrics metrics,
      LongSupplier nanoClock) {
    this.coordinator = coordinator;
    this.writer = writer;
    this.policy = policy;
    this.executor = executor;
    this.metrics = metrics;
    this.backoff = new Backoff(nanoClock);
  }

  /** Starts the upkeep of the store's index when it is due. Memory only; does not wait. */
  void want(Store store) {
    if (isDue(store) && backoff.mayTry(store.id()) && queued.add(store.id())) {
      queue.add(store);
    }
    startNext();
  }

  private boolean isDue(Store store) {
    Optional<Pin> serving = store.pinIfServing();
    if (serving.isEmpty()) {
      return false;
    }
    try (Pin pin = serving.get()) {
      return policy.isIndexDue(pin.view().base());
    }
  }

  private void startNext() {
    if (queue.isEmpty() || !running.compareAndSet(false, true)) {
      return;
    }
    try {
      executor.execute(this::runNext);
    } catch (RejectedExecutionException busy) {
      // The queue stays for whoever wants something next.
      running.set(false);
    }
  }

  private void runNext() {
    try {
      Store store = queue.poll();
      if (store != null) {
        queued.remove(store.id());
        attempt(store);
      }
    } finally {
      running.set(false);
      startNext();
    }
  }

  /** The guarded path: prepare, write, commit, on the calling thread. */
  private void attempt(Store store) {
    try {
      switch (coordinator.prepareIndex(store, policy)) {
        case Prepared.Ready<IndexPlan> ready -> run(ready.plan());
        case Prepared.Busy<IndexPlan> busy -> {}
        case Prepared.NotDue<IndexPlan> notDue -> backoff.succeeded(store.id());
        case Prepared.NotServing<IndexPlan> notServing -> backoff.forget(store.id());
      }
    } catch (RuntimeException e) {
      backoff.failed(store.id());
      LOGGER.log(Level.WARNING, "The index of store " + store.id() + " was not looked after", e);
    }
  }

  private void run(IndexPlan plan) {
    long start = System.nanoTime();
    IndexResult result = write(plan);
    commit(plan, result);
    report(plan.store().id(), result, Duration.ofNanos(System.nanoTime() - start));
  }

  private IndexResult write(IndexPlan plan) {
    try {
      return writer.write(plan, policy);
    } catch (RuntimeException | Error e) {
      // The writer does not throw; if it does, nobody knows how far it came.
      return new IndexResult.Failed(e, true);
    }
  }

  private void commit(IndexPlan plan, IndexResult result) {
    try {
      switch (result) {
        case IndexResult.Indexed indexed -> coordinator.commitIndex(plan, indexed);
        case IndexResult.NotDue notDue -> coordinator.abandonIndex(plan, Optional.empty());
        case IndexResult.Failed failed ->
            coordinator.abandonIndex(
                plan, failed.reopen() ? Optional.of(failed.cause()) : Optional.empty());
      }
    } catch (RuntimeException e) {
      // As after a merge: the view may have been swapped, or not. Seen when the container stops.
      plan.store().fail(e);
      if (result instanceof IndexResult.Indexed indexed) {
        indexed.base().discard();
      }
      plan.release();
      throw e;
    }
  }

  private void report(StoreId id, IndexResult result, Duration took) {
    String kind = id.kind().label();
    switch (result) {
      case IndexResult.Indexed indexed -> {
        backoff.succeeded(id);
        metrics.index(kind, EngineMetrics.IndexResult.OK);
        LOGGER.log(
            Level.INFO,
            "Indexed store {0}: version {1}, {2} ms",
            id,
            Long.toString(indexed.base().version()),
            Long.toString(took.toMillis()));
      }
      case IndexResult.NotDue notDue -> backoff.succeeded(id);
      case IndexResult.Failed failed -> {
        backoff.failed(id);
        metrics.index(kind, EngineMetrics.IndexResult.FAILED);
        LOGGER.log(
            Level.WARNING,
            "The index of store "
                + id
                + " could not be brought up to date in "
                + took.toMillis()
                + " ms; look-ups stay right but are slower",
            failed.cause());
      }
    }
  }
}
