package io.contextstore.maintenance;

import static org.assertj.core.api.Assertions.assertThat;

import io.contextstore.guard.MemoryOnly;
import io.contextstore.merge.MergeWriter;
import io.contextstore.metrics.EngineMetrics;
import io.contextstore.table.IndexLimits;
import io.contextstore.table.IndexState;
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
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Index upkeep behind merges, on a clock and an executor that the test drives by hand. */
class IndexUpkeepTest {
  private static final IndexLimits LIMITS = new IndexLimits(3, 0, 100);
  private static final MaintenancePolicy POLICY =
      new MaintenancePolicy(Duration.ZERO, Duration.ZERO, new MergeLimits(1, 8, 1L << 30), LIMITS);

  @TempDir Path data;
  private final AtomicLong clock = new AtomicLong();
  private final BlockingQueue<Runnable> tasks = new LinkedBlockingQueue<>();
  private final Counts metrics = new Counts();
  private final ScheduledExecutorService timer = Executors.newScheduledThreadPool(1);
  private final Coordinator coordinator = new Coordinator();
  private StoreFixture fixture;
  private Maintainer maintainer;
  private Store store;

  @BeforeEach
  void open() {
    fixture = new StoreFixture(data);
    store = fixture.create("s");
    maintainer =
        new Maintainer(
            coordinator,
            new MergeWriter(fixture.tables.tables(), fixture.root, fixture.ownership),
            new IndexWriter(fixture.tables.tables(), fixture.ownership),
            POLICY,
            tasks::add,
            timer,
            metrics,
            clock::get);
    maintainer.watch(fixture.registry::openStores);
  }

  @AfterEach
  void close() {
    fixture.close();
    timer.shutdown();
  }

  @Test
  void aMergeThatLeavesTooMuchOutOfTheIndexIsFollowedByItsUpkeep() {
    merge(store, "a", 1, "b", 1);
    assertThat(tasks).as("too few rows").isEmpty();
    merge(store, "c", 1);
    assertThat(tasks).hasSize(1);
    runAll();
    assertThat(state(store)).isEqualTo(new IndexState(2, 0, 3, 0));
    assertThat(metrics.counts).containsEntry("index OK", 1);

    merge(store, "a", 2);
    assertThat(state(store)).isEqualTo(new IndexState(2, 1, 2, 1));
    runAll();
    assertThat(state(store)).isEqualTo(new IndexState(3, 0, 3, 0));
    assertThat(fixture.baseRows(store)).isEqualTo(Map.of("a", 2L, "b", 1L, "c", 1L));
    assertThat(metrics.counts).containsEntry("index OK", 2).doesNotContainKey("index FAILED");
  }

  @Test
  void theVersionWithTheIndexIsRememberedAsSynced() throws IOException {
    merge(store, "a", 1, "b", 1, "c", 1);
    runAll();
    Path table = fixture.folder.tableFolder(store.id());
    String name = table.getFileName().toString().replace(".lance", ".synced");
    assertThat(Files.readString(table.resolveSibling(name)).strip())
        .isEqualTo(version(store) + " 1");
  }

  @Test
  void whatIsSealedMeanwhileStaysPending() {
    merge(store, "a", 1, "b", 1, "c", 1);
    tasks.clear();
    IndexPlan plan = ready();
    fixture.append(store, "a", 2);
    fixture.seal(store);
    IndexResult.Indexed indexed =
        (IndexResult.Indexed)
            new IndexWriter(fixture.tables.tables(), fixture.ownership).write(plan, POLICY);
    coordinator.commitIndex(plan, indexed);
    try (Pin pin = store.pin()) {
      assertThat(pin.view().sealed()).hasSize(1);
      assertThat(pin.view().base().reader().indexState().isIndexed()).isTrue();
    }
    maintainer.sealed(store);
    runAll();
    assertThat(fixture.baseRows(store)).isEqualTo(Map.of("a", 2L, "b", 1L, "c", 1L));
    assertThat(fixture.disposedUnderTheLock).hasPositiveValue();
  }

  @Test
  void aSmallMergeIntoALargeIndexedTableIsRight() {
    Map<String, Long> expected = new TreeMap<>();
    List<Object> rows = new ArrayList<>();
    for (int i = 0; i < 12_000; i++) {
      rows.add("k" + i);
      rows.add(i);
      expected.put("k" + i, (long) i);
    }
    merge(store, rows.toArray());
    runAll();
    assertThat(state(store).indexedRows()).isEqualTo(12_000);
    // Few enough to be looked up: a row of the index, then one outside of it.
    merge(store, "k7", -1, "new", 1);
    fixture.delete(store, "k8");
    merge(store, "new", 2);
    expected.put("k7", -1L);
    expected.put("new", 2L);
    expected.remove("k8");
    assertThat(fixture.baseRows(store)).isEqualTo(expected);
    runAll();
    assertThat(fixture.baseRows(store)).isEqualTo(expected);
    assertThat(state(store)).isEqualTo(new IndexState(3, 0, 12_000, 0));
  }

  @Test
  void aReaderOfTheViewBeforeReadsOn() {
    merge(store, "a", 1, "b", 1, "c", 1);
    try (Pin before = store.pin()) {
      runAll();
      assertThat(version(store)).isGreaterThan(before.view().base().version());
      assertThat(before.view().base().reader().indexState().isIndexed()).isFalse();
      assertThat(before.view().base().reader().rowCount()).isEqualTo(3);
    }
  }

  @Test
  void aStoreThatIsWorkedOnIsLookedAtAgainLater() {
    merge(store, "a", 1, "b", 1, "c", 1);
    MaintenanceSlot.Claim other = (MaintenanceSlot.Claim) store.slot().tryClaim();
    runAll();
    assertThat(metrics.counts).doesNotContainKeys("index OK", "index FAILED");
    other.release();
    maintainer.indexTick();
    runAll();
    assertThat(metrics.counts).containsEntry("index OK", 1);
    maintainer.indexTick();
    assertThat(tasks).as("not due any more").isEmpty();
  }

  @Test
  void oneStoreIsIndexedAtATime() {
    Store other = fixture.create("other");
    merge(store, "a", 1, "b", 1, "c", 1);
    merge(other, "a", 1, "b", 1, "c", 1);
    maintainer.indexTick();
    assertThat(tasks).hasSize(1);
    tasks.remove().run();
    assertThat(metrics.counts).containsEntry("index OK", 1);
    assertThat(tasks).hasSize(1);
    runAll();
    assertThat(state(store).isIndexed()).isTrue();
    assertThat(state(other).isIndexed()).isTrue();
  }

  @Test
  void aFailureIsCountedApartPausesAndDisturbsNoMerge() throws IOException {
    merge(store, "a", 1, "b", 1, "c", 1);
    Path inTheWay = fixture.folder.tableFolder(store.id()).resolve("_indices");
    Files.writeString(inTheWay, "");
    runAll();
    assertThat(metrics.counts).containsEntry("index FAILED", 1).doesNotContainKey("FAILED");
    assertThat(store.failure()).isEmpty();

    merge(store, "a", 2);
    assertThat(metrics.counts).containsEntry("MERGED", 2);
    maintainer.indexTick();
    assertThat(tasks).as("the pause").isEmpty();
    Files.delete(inTheWay);
    clock.addAndGet(Duration.ofMinutes(2).toNanos());
    maintainer.indexTick();
    runAll();
    assertThat(metrics.counts).containsEntry("index OK", 1);
    assertThat(fixture.baseRows(store)).isEqualTo(Map.of("a", 2L, "b", 1L, "c", 1L));
  }

  @Test
  void aTableThatIsNotWhatTheStoreBelievesFailsTheStore() {
    merge(store, "a", 1, "b", 1, "c", 1);
    try (var pass =
        fixture
            .tables
            .tables()
            .beginMerge(fixture.ownership.location(store.id()), fixture.ownership.epoch(), 1)) {
      pass.commit(9);
    }
    runAll();
    assertThat(metrics.counts).containsEntry("index FAILED", 1);
    assertThat(store.failure()).isPresent();
    MaintenanceSlot.Claim free = (MaintenanceSlot.Claim) store.slot().tryClaim();
    free.release();
  }

  @Test
  void anIndexThatLandsOnAClosedStoreIsLetGo() {
    merge(store, "a", 1, "b", 1, "c", 1);
    tasks.clear();
    IndexPlan plan = ready();
    IndexResult.Indexed indexed =
        (IndexResult.Indexed)
            new IndexWriter(fixture.tables.tables(), fixture.ownership).write(plan, POLICY);
    store.close();
    coordinator.commitIndex(plan, indexed);
    // The fixture's close finds what was not let go.
  }

  @Test
  void preparingTouchesMemoryOnly() {
    merge(store, "a", 1, "b", 1, "c", 1);
    tasks.clear();
    IndexPlan plan = MemoryOnly.call("test", this::ready);
    assertThat(coordinator.prepareIndex(store, POLICY)).isInstanceOf(Prepared.Busy.class);
    MemoryOnly.run("test", () -> coordinator.abandonIndex(plan, Optional.empty()));
    ready().release();
    store.close();
    assertThat(coordinator.prepareIndex(store, POLICY)).isInstanceOf(Prepared.NotServing.class);
  }

  private IndexPlan ready() {
    return ((Prepared.Ready<IndexPlan>) coordinator.prepareIndex(store, POLICY)).plan();
  }

  /** Seals and merges; index upkeep that this leads to stays in the queue. */
  private void merge(Store into, Object... idsAndNumbers) {
    List<Runnable> before = drained();
    fixture.append(into, idsAndNumbers);
    fixture.seal(into);
    maintainer.sealed(into);
    tasks.remove().run();
    List<Runnable> after = drained();
    // A merge looks once more, last, whether there is anything left.
    after.removeLast().run();
    tasks.addAll(before);
    tasks.addAll(after);
  }

  private List<Runnable> drained() {
    List<Runnable> drained = new ArrayList<>();
    tasks.drainTo(drained);
    return drained;
  }

  private void runAll() {
    for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
      task.run();
    }
  }

  private static IndexState state(Store of) {
    try (Pin pin = of.pin()) {
      return pin.view().base().reader().indexState();
    }
  }

  private static long version(Store of) {
    try (Pin pin = of.pin()) {
      return pin.view().base().version();
    }
  }

  /** Counts in memory. */
  private static final class Counts implements EngineMetrics {
    private final Map<String, Integer> counts = new ConcurrentHashMap<>();

    @Override
    public void flush(String kind, FlushResult result) {}

    @Override
    public void cleanup(String kind, CleanupResult result) {
      counts.merge(result.name(), 1, Integer::sum);
    }

    @Override
    public void reclaimed(String kind, int generations) {}

    @Override
    public void mergePhase(String phase, Duration duration) {}

    @Override
    public void mergeError(String phase) {}

    @Override
    public void index(String kind, IndexResult result) {
      counts.merge("index " + result, 1, Integer::sum);
    }
  }
}
