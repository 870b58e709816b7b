package io.contextstore.maintenance;

import io.contextstore.api.error.OverloadedException;
import io.contextstore.log.LogDeadlineException;
import io.contextstore.log.LogException;
import io.contextstore.log.SealOutcome;
import io.contextstore.merge.MergePlan;
import io.contextstore.merge.MergeWriter;
import io.contextstore.metrics.EngineMetrics;
import io.contextstore.metrics.EngineMetrics.CleanupResult;
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
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * Seals, merges and keeps indices: on events at once, on ticks what events missed, on request with
 * an answer. All triggers take the same guarded path through the coordinator, and a store is never
 * worked on twice at a time. Safe for use by many threads; a tick only plans, the work runs on the
 * executor.
 */
public final class Maintainer implements StoreEvents {
  private static final Logger LOGGER = System.getLogger(Maintainer.class.getName());
  private static final Duration RETRY = Duration.ofSeconds(5);
  private static final Duration SEAL_PAUSE = Duration.ofSeconds(1);
  private static final Duration RELIEF_PATIENCE = Duration.ofSeconds(30);

  private final Coordinator coordinator;
  private final MergePasses passes;
  private final IndexUpkeep indices;
  private final MaintenancePolicy policy;
  private final Executor executor;
  private final ScheduledExecutorService timer;
  private final EngineMetrics metrics;
  private final Backoff backoff;

  /** Merges that are wanted and not begun. */
  private final ConcurrentMap<StoreId, Wish> wishes = new ConcurrentHashMap<>();

  /** Stores with a task in the executor's queue. */
  private final Set<StoreId> submitted = ConcurrentHashMap.newKeySet();

  /** Stores whose task comes when their running pass is over. */
  private final Set<StoreId> waiting = ConcurrentHashMap.newKeySet();

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
      IndexWriter indexWriter,
      MaintenancePolicy policy,
      Executor executor,
      ScheduledExecutorService timer,
      EngineMetrics metrics) {
    this(coordinator, writer, indexWriter, policy, executor, timer, metrics, System::nanoTime);
  }

  Maintainer(
      Coordinator coordinator,
      MergeWriter writer,
      IndexWriter indexWriter,
      MaintenancePolicy policy,
      Executor executor,
      ScheduledExecutorService timer,
      EngineMetrics metrics,
      LongSupplier nanoClock) {
    this.backoff = new Backoff(nanoClock);
    this.coordinator = coordinator;
    this.passes = new MergePasses(coordinator, writer, metrics);
    this.indices = new IndexUpkeep(coordinator, indexWriter, policy, executor, metrics, nanoClock);
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
    want(store, MergeTrigger.COUNT);
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

  /**
   * Seals and merges the store that holds most memory. One whose merge fails or is put off must not
   * keep the others from being relieved.
   */
  private void relieve() {
    List<Sized> largestFirst =
        stores.get().stream()
            .map(store -> new Sized(store, pendingBytes(store)))
            .filter(sized -> sized.bytes() > 0)
            .sorted(Comparator.comparingLong(Sized::bytes).reversed())
            .toList();
    for (Sized sized : largestFirst) {
      if (backoff.mayTry(sized.store().id()) && relieve(sized.store())) {
        return;
      }
    }
  }

  private record Sized(Store store, long bytes) {}

  private boolean relieve(Store store) {
    try {
      await(seal(store), Deadline.after(RELIEF_PATIENCE), "the flush");
    } catch (OverloadedException e) {
      LOGGER.log(Level.WARNING, "Memory is low and store " + store.id() + " is not sealed", e);
    }
    return switch (attempt(store, MergeTrigger.MEMORY)) {
      case Attempt.Merged merged -> {
        want(store, merged.partial() ? MergeTrigger.MEMORY : MergeTrigger.COUNT);
        yield true;
      }
      case Attempt.Busy busy -> true;
      case Attempt.Failed failed -> false;
      case Attempt.Nothing nothing -> false;
      case Attempt.NotServing notServing -> false;
    };
  }

  private static long pendingBytes(Store store) {
    Optional<Pin> serving = store.pinIfServing();
    if (serving.isEmpty()) {
      return 0;
    }
    try (Pin pin = serving.get()) {
      return pin.view().newestFirst().stream().mapToLong(g -> g.bytes()).sum();
    }
  }

  /** Seals what is not empty. Does not wait. */
  public void flushTick() {
    for (Store store : stores.get()) {
      if (hasUnsealedRows(store)) {
        seal(store);
      }
    }
  }

  // A seal of an empty memtable does nothing, but it takes a thread for it: too much for every idle
  // store at once.
  private static boolean hasUnsealedRows(Store store) {
    Optional<Pin> serving = store.pinIfServing();
    if (serving.isEmpty()) {
      return false;
    }
    try (Pin pin = serving.get()) {
      return pin.view().active().bytes() > 0;
    }
  }

  /** Merges what has been pending for a while. Does not wait. */
  public void cleanupTick() {
    for (Store store : stores.get()) {
      want(store, MergeTrigger.CLEANUP);
    }
  }

  /** Brings indices up to date that are due and were not looked after. Does not wait. */
  public void indexTick() {
    for (Store store : stores.get()) {
      indices.want(store);
    }
  }

  /** Tries again what failed, or found no thread, once its pause is over. Does not wait. */
  public void retryTick() {
    for (Wish wish : wishes.values()) {
      start(wish.store());
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
            metrics.flush(
                kind,
                error instanceof LogDeadlineException ? FlushResult.TIMEOUT : FlushResult.FAILED);
            LOGGER.log(Level.WARNING, "The flush of store " + store.id() + " failed", error);
          } else if (outcome instanceof SealOutcome.Sealed) {
            metrics.flush(kind, FlushResult.OK);
          }
        });
  }

  /** Notes that a merge is wanted and starts it, now or when what is in its way is over. */
  private void want(Store store, MergeTrigger trigger) {
    wishes.merge(
        store.id(),
        new Wish(store, trigger),
        (known, more) -> new Wish(store, known.trigger().orStronger(more.trigger())));
    start(store);
  }

  private void start(Store store) {
    StoreId id = store.id();
    if (waiting.contains(id) || !backoff.mayTry(id) || !submitted.add(id)) {
      return;
    }
    try {
      executor.execute(() -> fulfil(store));
    } catch (RejectedExecutionException busy) {
      // The wish stays for the next retry.
      submitted.remove(id);
    }
  }

  private void fulfil(Store store) {
    StoreId id = store.id();
    // In this order: a wish that comes behind the second line starts anew.
    submitted.remove(id);
    Wish wish = wishes.remove(id);
    if (wish == null) {
      return;
    }
    switch (attempt(wish.store(), wish.trigger())) {
      // What is still due is another pass, behind those of other stores. What came during this one
      // has to be enough for a pass of its own, so that a busy store is not merged row by row.
      case Attempt.Merged merged ->
          want(wish.store(), merged.partial() ? wish.trigger() : MergeTrigger.COUNT);
      case Attempt.Failed failed -> wishes.merge(id, wish, Wish::or);
      case Attempt.Busy busy -> {
        wishes.merge(id, wish, Wish::or);
        startWhen(busy.whenFree(), store);
      }
      case Attempt.Nothing nothing -> {}
      case Attempt.NotServing notServing -> {}
    }
  }

  private void startWhen(CompletionStage<Void> free, Store store) {
    if (!waiting.add(store.id())) {
      return;
    }
    free.thenRun(
        () -> {
          waiting.remove(store.id());
          start(store);
        });
  }

  /** A merge that somebody waits for and that has not begun. */
  private record Wish(Store store, MergeTrigger trigger) {
    /** This one, or both; a wish that came later knows the store that is open now. */
    static Wish or(Wish later, Wish earlier) {
      return new Wish(later.store(), earlier.trigger().orStronger(later.trigger()));
    }
  }

  /** What came of a merge. */
  private sealed interface Attempt {
    /** It landed; {@code partial} when generations were left that were pending before it. */
    record Merged(int generations, boolean partial) implements Attempt {}

    /** It failed, has been reported, and may be tried again after a pause. */
    record Failed() implements Attempt {}

    /** Another pass works on the store. */
    record Busy(CompletionStage<Void> whenFree) implements Attempt {}

    /** Not due. */
    record Nothing() implements Attempt {}

    /** The store is closed, or is opened again before it is merged. */
    record NotServing() implements Attempt {}
  }

  /** The one path of all triggers: prepare, write, commit, on the calling thread. */
  private Attempt attempt(Store store, MergeTrigger trigger) {
    StoreId id = store.id();
    try {
      return switch (coordinator.prepareMerge(store, trigger, policy.limits())) {
        case Prepared.Ready<MergePlan> ready -> {
          boolean partial = ready.plan().isPartial();
          int merged = passes.run(ready.plan());
          if (merged == 0) {
            backoff.failed(id);
            yield new Attempt.Failed();
          }
          backoff.succeeded(id);
          indices.want(store);
          yield new Attempt.Merged(merged, partial);
        }
        case Prepared.Busy<MergePlan> busy -> new Attempt.Busy(busy.whenFree());
        case Prepared.NotDue<MergePlan> notDue -> {
          if (trigger == MergeTrigger.CLEANUP || trigger == MergeTrigger.REQUESTED) {
            metrics.cleanup(id.kind().label(), CleanupResult.NOOP);
          }
          yield new Attempt.Nothing();
        }
        case Prepared.NotServing<MergePlan> notServing -> {
          backoff.forget(id);
          yield new Attempt.NotServing();
        }
      };
    } catch (RuntimeException e) {
      backoff.failed(id);
      LOGGER.log(Level.WARNING, "The merge of store " + id + " was not carried out", e);
      return new Attempt.Failed();
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
      switch (await(attemptOnExecutor(store), deadline, "the merge")) {
        case Attempt.Merged pass -> merged += pass.generations();
        case Attempt.Busy busy -> await(busy.whenFree(), deadline, "a running merge");
        case Attempt.Nothing nothing -> {
          return merged;
        }
        case Attempt.NotServing notServing ->
            throw OverloadedException.notFinished("the store is being re-opened", RETRY, null);
        case Attempt.Failed failed ->
            throw OverloadedException.notFinished(
                "the merge failed; its rows stay readable and it is tried again", RETRY, null);
      }
    }
    return merged;
  }

  /** On the executor, because a pass must go on when its requester stops waiting. */
  private CompletionStage<Attempt> attemptOnExecutor(Store store) {
    try {
      return CompletableFuture.supplyAsync(() -> attempt(store, MergeTrigger.REQUESTED), executor);
    } catch (RejectedExecutionException e) {
      throw OverloadedException.notFinished("all maintenance threads are busy", RETRY, e);
    }
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
