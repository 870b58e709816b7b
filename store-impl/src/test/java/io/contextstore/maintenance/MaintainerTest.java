package io.contextstore.maintenance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.contextstore.api.error.OverloadedException;
import io.contextstore.merge.MergeOutcome;
import io.contextstore.merge.MergePlan;
import io.contextstore.merge.MergeWriter;
import io.contextstore.metrics.EngineMetrics;
import io.contextstore.table.Deadline;
import io.contextstore.table.IndexLimits;
import io.contextstore.table.ScanRequest;
import io.contextstore.view.BaseVersion;
import io.contextstore.view.MaintenanceSlot;
import io.contextstore.view.Pin;
import io.contextstore.view.Store;
import io.contextstore.view.StoreFixture;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The maintainer on a clock and an executor that the test drives by hand. */
class MaintainerTest {
  @TempDir Path data;
  private final AtomicLong clock = new AtomicLong();
  private final BlockingQueue<Runnable> tasks = new LinkedBlockingQueue<>();
  private final Counts metrics = new Counts();
  private final ScheduledExecutorService timer = Executors.newScheduledThreadPool(1);
  private Coordinator coordinator = new Coordinator();
  private boolean full;
  private StoreFixture fixture;
  private Maintainer maintainer;
  private Store store;

  @BeforeEach
  void open() {
    fixture = new StoreFixture(data);
    store = fixture.create("s");
    maintainer = maintainer(new MergeLimits(2, 2, 1L << 30));
  }

  @AfterEach
  void close() {
    fixture.close();
    timer.shutdown();
  }

  private Maintainer maintainer(MergeLimits limits) {
    Maintainer made =
        new Maintainer(
            coordinator,
            new MergeWriter(fixture.tables.tables(), fixture.root, fixture.ownership),
            new IndexWriter(fixture.tables.tables(), fixture.ownership),
            new MaintenancePolicy(Duration.ZERO, Duration.ZERO, limits, IndexLimits.DEFAULT),
            task -> {
              if (full) {
                throw new RejectedExecutionException();
              }
              tasks.add(task);
            },
            timer,
            metrics,
            clock::get);
    made.watch(fixture.registry::openStores);
    return made;
  }

  @Test
  void theSealThatMakesAStoreDueStartsItsMergeAtOnceAndOnce() {
    seal("a", 1);
    maintainer.sealed(store);
    runAll();
    assertThat(metrics.counts).doesNotContainKey("MERGED");
    seal("b", 2);
    maintainer.sealed(store);
    maintainer.sealed(store);
    maintainer.cleanupTick();
    assertThat(tasks).hasSize(1);
    runAll();
    assertThat(fixture.baseRows(store)).isEqualTo(Map.of("a", 1L, "b", 2L));
    assertThat(metrics.counts).containsEntry("MERGED", 1).containsEntry("reclaimed", 2);
    assertThat(pending()).isZero();
  }

  @Test
  void aMergeThatLeavesAStoreDueSubmitsItAgainBehindOthers() {
    for (int i = 0; i < 5; i++) {
      seal("k" + i, i);
    }
    maintainer.sealed(store);
    run();
    assertThat(pending()).isEqualTo(3);
    assertThat(tasks).hasSize(1);
    runAll();
    // One is left: not due by count.
    assertThat(pending()).isEqualTo(1);
    maintainer.cleanupTick();
    runAll();
    assertThat(pending()).isZero();
    assertThat(metrics.counts).containsEntry("MERGED", 3);
  }

  @Test
  void aCleanupMergesWhatWasPendingAndDoesNotChaseWhatComes() {
    for (int i = 0; i < 3; i++) {
      seal("k" + i, i);
    }
    maintainer.cleanupTick();
    run();
    assertThat(pending()).isEqualTo(1);
    seal("late", 1);
    run();
    assertThat(pending()).isZero();
    seal("later", 1);
    runAll();
    assertThat(pending()).isEqualTo(1);
  }

  @Test
  void aStrongerTriggerIsNotForgottenWhileAWeakerOneWaits() {
    seal("a", 1);
    maintainer.sealed(store);
    maintainer.cleanupTick();
    runAll();
    assertThat(pending()).isZero();
  }

  @Test
  void aFailingMergeIsCountedAsCleanupAndItsSealAsAGoodFlush() throws Exception {
    seal("a", 1);
    fixture.append(store, "b", 1);
    Path away = moveTableAway(store);
    CompletableFuture<Void> flush =
        CompletableFuture.runAsync(() -> maintainer.flush(store, deadline()));
    flush.get(30, TimeUnit.SECONDS);
    maintainer.sealed(store);
    runAll();

    assertThat(metrics.counts)
        .containsEntry("flush OK", 1)
        .containsEntry("FAILED", 1)
        .containsEntry("error look_up", 1)
        .doesNotContainKeys("flush FAILED", "MERGED");
    bringTableBack(store, away);
    maintainer.retryTick();
    assertThat(tasks).as("the pause is not over").isEmpty();
    clock.addAndGet(Duration.ofMillis(1251).toNanos());
    maintainer.retryTick();
    maintainer.retryTick();
    assertThat(tasks).hasSize(1);
    runAll();
    assertThat(fixture.baseRows(store)).isEqualTo(Map.of("a", 1L, "b", 1L));
    assertThat(metrics.counts).containsEntry("MERGED", 1).containsEntry("FAILED", 1);
    maintainer.retryTick();
    assertThat(tasks).isEmpty();
  }

  @Test
  void aMergeThatFindsTheSlotTakenStartsWhenItIsFree() throws Exception {
    seal("a", 1);
    seal("b", 1);
    MaintenanceSlot.Claim running = (MaintenanceSlot.Claim) store.slot().tryClaim();
    maintainer.sealed(store);
    run();
    maintainer.sealed(store);
    maintainer.cleanupTick();
    maintainer.retryTick();
    assertThat(tasks).as("no use in trying while it runs").isEmpty();

    running.release();
    Runnable task = tasks.poll(30, TimeUnit.SECONDS);
    assertThat(task).isNotNull();
    task.run();
    assertThat(pending()).isZero();
    runAll();
    assertThat(metrics.counts).containsEntry("MERGED", 1);
  }

  @Test
  void aMergeThatFindsNoThreadIsTriedAgainByTheRetryTick() {
    seal("a", 1);
    seal("b", 1);
    full = true;
    maintainer.sealed(store);
    full = false;
    maintainer.retryTick();
    runAll();
    assertThat(pending()).isZero();
  }

  @Test
  void aTickSealsWhatIsNotEmptyAndTakesNoThreadForTheRest() {
    fixture.create("idle");
    fixture.append(store, "a", 1);
    maintainer.flushTick();
    maintainer.flush(store, deadline());
    assertThat(pending()).isEqualTo(1);
    assertThat(metrics.counts).containsEntry("flush OK", 1);
    int after = fixture.writerRuns.get();
    maintainer.flushTick();
    assertThat(fixture.writerRuns).hasValue(after);
  }

  @Test
  void aCleanupWithNothingToDoIsCountedAsThat() {
    maintainer.cleanupTick();
    runAll();
    assertThat(metrics.counts).isEqualTo(Map.of("NOOP", 1));
  }

  @Test
  void lowMemorySealsAndMergesTheLargestStore() {
    Store small = fixture.create("small");
    fixture.append(small, "x", 1);
    for (int i = 0; i < 20; i++) {
      fixture.append(store, "k" + i, i);
    }
    maintainer.memoryLow();
    maintainer.memoryLow();
    assertThat(tasks).hasSize(1);
    run();
    assertThat(fixture.baseRows(store)).hasSize(20);
    assertThat(fixture.baseRows(small)).isEmpty();
    maintainer.memoryLow();
    assertThat(tasks).isNotEmpty();
    runAll();
    assertThat(fixture.baseRows(small)).hasSize(1);
  }

  @Test
  void aLargeStoreWhoseMergeFailsDoesNotKeepTheOthersFromBeingRelieved() throws Exception {
    Store small = fixture.create("small");
    fixture.append(small, "x", 1);
    for (int i = 0; i < 20; i++) {
      fixture.append(store, "k" + i, i);
    }
    final Path away = moveTableAway(store);
    maintainer.memoryLow();
    run();
    assertThat(fixture.baseRows(small)).hasSize(1);
    assertThat(metrics.counts).containsEntry("FAILED", 1).containsEntry("MERGED", 1);

    fixture.append(small, "y", 1);
    maintainer.memoryLow();
    runAll();
    assertThat(fixture.baseRows(small)).hasSize(2);
    assertThat(metrics.counts).as("the large one has its pause").containsEntry("FAILED", 1);
    bringTableBack(store, away);
  }

  @Test
  void aStoreThatIsGoneIsForgotten() {
    seal("a", 1);
    seal("b", 1);
    maintainer.sealed(store);
    store.close();
    runAll();
    assertThat(metrics.counts).isEmpty();
    maintainer.retryTick();
    assertThat(tasks).isEmpty();
  }

  @Test
  void aRequestedMergeWaitsForTheRunningPassAndThenDoesItsOwn() throws Exception {
    seal("a", 1);
    fixture.append(store, "b", 1);
    MaintenanceSlot.Claim running = (MaintenanceSlot.Claim) store.slot().tryClaim();
    CompletableFuture<Integer> merged =
        CompletableFuture.supplyAsync(() -> maintainer.mergeAll(store, deadline()));
    runNext();
    assertThat(merged).isNotDone();
    assertThat(pending()).as("sealed by the request").isEqualTo(2);
    running.release();
    runNext();
    assertThat(merged.get(30, TimeUnit.SECONDS)).isEqualTo(2);
    assertThat(pending()).isZero();
  }

  @Test
  void aRequestHoldsNeitherSlotNorPinWhileItWaitsForAThread() throws Exception {
    seal("a", 1);
    CompletableFuture<Integer> merged =
        CompletableFuture.supplyAsync(() -> maintainer.mergeAll(store, deadline()));
    Runnable queued = tasks.poll(30, TimeUnit.SECONDS);
    assertThat(store.slot().tryClaim())
        .isInstanceOfSatisfying(MaintenanceSlot.Claim.class, MaintenanceSlot.Claim::release);
    queued.run();
    assertThat(merged.get(30, TimeUnit.SECONDS)).isEqualTo(1);
  }

  @Test
  void aRequestStopsWaitingAtItsDeadlineAndThePassGoesOn() {
    seal("a", 1);
    assertThatThrownBy(() -> maintainer.mergeAll(store, Deadline.after(Duration.ofMillis(50))))
        .isInstanceOf(OverloadedException.class)
        .hasMessageContaining("running");
    runAll();
    assertThat(pending()).isZero();
  }

  @Test
  void aRequestedMergeThatFailsSaysSo() throws Exception {
    seal("a", 1);
    final Path away = moveTableAway(store);
    CompletableFuture<Integer> merged =
        CompletableFuture.supplyAsync(() -> maintainer.mergeAll(store, deadline()));
    runNext();
    assertThatThrownBy(() -> merged.get(30, TimeUnit.SECONDS))
        .isInstanceOf(ExecutionException.class)
        .hasCauseInstanceOf(OverloadedException.class)
        .hasMessageContaining("the merge failed");
    bringTableBack(store, away);
  }

  @Test
  void noEventShortensThePauseAfterAFailure() throws Exception {
    seal("a", 1);
    seal("b", 1);
    final Path away = moveTableAway(store);
    maintainer.sealed(store);
    runAll();
    bringTableBack(store, away);
    maintainer.sealed(store);
    maintainer.cleanupTick();
    assertThat(tasks).isEmpty();
  }

  /** As when the container stops under a running merge. */
  @Test
  void aCommitThatIsNotCarriedOutLeaksNothingAndTheStoreIsOpenedAgain() {
    List<BaseVersion> refused = new ArrayList<>();
    coordinator =
        new Coordinator() {
          @Override
          public void commitMerge(MergePlan plan, MergeOutcome.Merged merged) {
            refused.add(merged.base());
            throw new IllegalStateException("the container is STOPPED");
          }
        };
    maintainer = maintainer(new MergeLimits(1, 8, 1L << 30));
    seal("a", 1);
    maintainer.sealed(store);
    runAll();
    assertThat(store.failure()).isPresent();
    assertThat(refused).hasSize(1);
    assertThatThrownBy(() -> refused.getFirst().reader().scan(ScanRequest.of(List.of("id"))))
        .as("the handle is closed")
        .hasStackTraceContaining("closed");
    assertThat(store.slot().tryClaim())
        .isInstanceOfSatisfying(MaintenanceSlot.Claim.class, MaintenanceSlot.Claim::release);

    store = fixture.open("s");
    assertThat(pending()).as("the table has them").isZero();
    assertThat(fixture.baseRows(store)).isEqualTo(Map.of("a", 1L));
    fixture.settle();
    assertThat(fixture.budget.used()).isZero();
  }

  private void seal(String id, int n) {
    fixture.append(store, id, n);
    fixture.seal(store);
  }

  private int pending() {
    try (Pin pin = store.pin()) {
      return pin.view().sealed().size();
    }
  }

  private void run() {
    tasks.remove().run();
  }

  private void runNext() throws InterruptedException {
    Runnable task = tasks.poll(30, TimeUnit.SECONDS);
    assertThat(task).isNotNull();
    task.run();
  }

  private void runAll() {
    for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
      task.run();
    }
  }

  private static Deadline deadline() {
    return Deadline.after(Duration.ofSeconds(30));
  }

  private Path moveTableAway(Store of) throws IOException {
    return Files.move(fixture.folder.tableFolder(of.id()), data.resolve("away"));
  }

  private void bringTableBack(Store of, Path away) throws IOException {
    Files.move(away, fixture.folder.tableFolder(of.id()));
  }

  /** Counts in memory. */
  private static final class Counts implements EngineMetrics {
    private final Map<String, Integer> counts = new ConcurrentHashMap<>();

    @Override
    public void flush(String kind, FlushResult result) {
      counts.merge("flush " + result, 1, Integer::sum);
    }

    @Override
    public void cleanup(String kind, CleanupResult result) {
      counts.merge(result.name(), 1, Integer::sum);
    }

    @Override
    public void reclaimed(String kind, int generations) {
      counts.merge("reclaimed", generations, Integer::sum);
    }

    @Override
    public void mergePhase(String phase, Duration duration) {}

    @Override
    public void mergeError(String phase) {
      counts.merge("error " + phase, 1, Integer::sum);
    }

    @Override
    public void index(String kind, IndexResult result) {
      counts.merge("index " + result, 1, Integer::sum);
    }
  }
}
