package io.contextstore.view;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.contextstore.api.StoreName;
import io.contextstore.api.error.NotFoundException;
import io.contextstore.api.error.OverloadedException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StoreRegistryTest {
  @TempDir Path data;
  private StoreFixture fixture;

  @BeforeEach
  void open() {
    fixture = new StoreFixture(data);
  }

  @AfterEach
  void close() {
    fixture.close();
  }

  private void restart() {
    fixture.close();
    fixture = new StoreFixture(data);
  }

  @Test
  void manyWhoOpenAStoreAtOnceGetTheSameOne() throws Exception {
    fixture.append(fixture.create("s"), "a", 1);
    restart();

    assertThat(inParallel(8, () -> fixture.open("s"))).hasSize(1);
    assertThat(fixture.registry.openStores()).hasSize(1);
  }

  @Test
  void aFailedStoreIsOpenedAgainOnceWithAllItsRows() throws Exception {
    Store first = fixture.create("s");
    fixture.append(first, "a", 1);
    fixture.seal(first);
    fixture.append(first, "b", 2);
    first.fail(new IllegalStateException("for the test"));

    assertThatThrownBy(first::pin).isInstanceOf(OverloadedException.class);
    assertThatThrownBy(() -> fixture.append(first, "c", 3))
        .isInstanceOf(OverloadedException.class)
        .hasMessageContaining("nothing was written");
    Set<Store> again = inParallel(8, () -> fixture.open("s"));
    assertThat(again).hasSize(1).doesNotContain(first);
    Store second = again.iterator().next();
    assertThat(rowsInGenerations(second)).isEqualTo(2);
    assertThat(first.whenClosed().toCompletableFuture().get(30, TimeUnit.SECONDS)).isNull();
  }

  @Test
  void aReaderOfTheFailedStoreIsNotDisturbedAndItsMemoryGoesWithIt() throws Exception {
    Store first = fixture.create("s");
    fixture.append(first, "a", 1);
    long bytes = fixture.budget.used();
    Pin reader = first.pin();
    first.fail(new IllegalStateException("for the test"));
    Store second = fixture.open("s");

    assertThat(reader.view().active().bytes()).isPositive();
    assertThat(reader.view().active().chunksAt(reader.visibleLsn()).get(0).rows()).isEqualTo(1);
    assertThat(fixture.budget.used()).isGreaterThan(bytes);
    reader.close();
    fixture.settle();
    assertThat(fixture.budget.used()).isEqualTo(bytesOf(second));
  }

  @Test
  void theMaintenanceSlotStaysTakenWhenAStoreIsOpenedAgain() {
    Store first = fixture.create("s");
    MaintenanceSlot.Claim running = (MaintenanceSlot.Claim) first.slot().tryClaim();
    first.fail(new IllegalStateException("for the test"));

    Store second = fixture.open("s");
    assertThat(second).isNotSameAs(first);
    assertThat(second.slot().tryClaim()).isInstanceOf(MaintenanceSlot.Busy.class);
    running.release();
    assertThat(second.slot().tryClaim()).isInstanceOf(MaintenanceSlot.Claim.class);
  }

  @Test
  void aStoreThatCannotBeOpenedIsTriedAgainAfterAPause() throws Exception {
    Store store = fixture.create("s");
    fixture.append(store, "a", 1);
    Path versions = fixture.folder.tableFolder(store.id()).resolve("_versions");
    restart();
    Path log = fixture.folder.logFolder(store.id());
    Files.move(log, data.resolve("away"));
    Files.writeString(log, "not a folder");

    assertThatThrownBy(() -> fixture.open("s")).hasMessageContaining("log");
    assertThat(fixture.registry.openStores()).isEmpty();
    int commits = count(versions);
    for (int i = 0; i < 20; i++) {
      assertThatThrownBy(() -> fixture.open("s")).hasMessageContaining("log");
    }
    assertThat(count(versions)).as("a try is a commit").isEqualTo(commits);
    Files.delete(log);
    Files.move(data.resolve("away"), log);
    assertThatThrownBy(() -> fixture.open("s")).hasMessageContaining("log");
    fixture.clock.addAndGet(TimeUnit.SECONDS.toNanos(1));
    assertThat(rowsInGenerations(fixture.open("s"))).isEqualTo(1);
  }

  private static int count(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return (int) files.count();
    }
  }

  @Test
  void anOpeningWithPendingGenerationsIsAnEventForMaintenance() {
    Store store = fixture.create("s");
    assertThat(fixture.sealed).isEmpty();
    fixture.append(store, "a", 1);
    restart();
    store = fixture.open("s");
    assertThat(fixture.sealed).containsExactly(store);
  }

  @Test
  void aDetachedStoreIsNotFoundAndServesThoseWhoHaveIt() {
    Store store = fixture.create("s");
    fixture.append(store, "a", 1);
    try (Pin pin = store.pin()) {
      assertThat(fixture.registry.beginDrop(store.id())).isTrue();
      assertThat(fixture.registry.beginDrop(store.id())).isFalse();
      assertThat(fixture.open("s")).isSameAs(store);
      CompletionStage<Store> detached = fixture.registry.detach(store.id()).orElseThrow();
      assertThat(detached.toCompletableFuture()).isCompletedWithValue(store);

      assertThat(fixture.registry.open(StoreKind.GENERIC, new StoreName("s"))).isEmpty();
      assertThat(fixture.registry.beginDrop(store.id())).isFalse();
      store.close();
      assertThat(pin.view().active().bytes()).isPositive();
      assertThat(store.whenClosed().toCompletableFuture()).isNotDone();
      assertThatThrownBy(store::pin).isInstanceOf(OverloadedException.class);
    }
    store.whenClosed().toCompletableFuture().join();
  }

  @Test
  void anAbandonedDropLeavesTheStoreAsItWas() {
    Store store = fixture.create("s");
    assertThat(fixture.registry.beginDrop(store.id())).isTrue();
    fixture.registry.abandonDrop(store.id());
    assertThat(fixture.open("s")).isSameAs(store);
    assertThat(fixture.registry.beginDrop(store.id())).isTrue();
  }

  /** Detach races with the first open: the store is either found by the detach, or never opened. */
  @Test
  void aStoreThatIsDetachedWhileItOpensIsHandedToTheOneWhoDetaches() throws Exception {
    for (int i = 0; i < 12; i++) {
      String name = "s" + i;
      fixture.create(name);
    }
    restart();
    for (int i = 0; i < 12; i++) {
      StoreName name = new StoreName("s" + i);
      StoreId id = fixture.registry.entry(StoreKind.GENERIC, name).orElseThrow().id();
      assertThat(fixture.registry.beginDrop(id)).isTrue();
      CountDownLatch go = new CountDownLatch(1);
      CompletableFuture<Store> opened =
          CompletableFuture.supplyAsync(
              () -> {
                await(go);
                return fixture.registry.open(StoreKind.GENERIC, name).orElse(null);
              });
      go.countDown();
      for (int spin = 0; spin < i * 400; spin++) {
        Thread.onSpinWait();
      }
      var detached = fixture.registry.detach(id);
      Store store;
      try {
        store = opened.get(30, TimeUnit.SECONDS);
      } catch (java.util.concurrent.ExecutionException e) {
        assertThat(e).hasCauseInstanceOf(NotFoundException.class);
        continue;
      }
      if (store != null) {
        assertThat(detached).isPresent();
        assertThat(detached.get().toCompletableFuture().get(30, TimeUnit.SECONDS)).isSameAs(store);
        store.close();
      }
    }
    assertThat(fixture.registry.openStores()).isEmpty();
  }

  @Test
  void aStopOpensNothingMoreAndWaitsForReadersOfStoresThatAreGone() throws Exception {
    Store dropped = fixture.create("dropped");
    Store replaced = fixture.create("replaced");
    CatalogEntry closedYet = StoreFixture.entry("never-opened");
    assertThat(fixture.registry.reserve(closedYet.id())).isTrue();
    fixture.registry.publish(closedYet);
    final Pin first = dropped.pin();
    final Pin second = replaced.pin();
    assertThat(fixture.registry.beginDrop(dropped.id())).isTrue();
    assertThat(fixture.registry.detach(dropped.id())).isPresent();
    replaced.fail(new IllegalStateException("for the test"));
    fixture.open("replaced");

    try (ExecutorService closers = Executors.newFixedThreadPool(2)) {
      CompletableFuture<Void> closed = fixture.registry.close(closers);
      assertThatThrownBy(() -> fixture.open("never-opened"))
          .isInstanceOf(OverloadedException.class)
          .hasMessageContaining("stopping");
      first.close();
      fixture.settle();
      assertThat(closed).isNotDone();
      second.close();
      closed.get(30, TimeUnit.SECONDS);
      assertThatThrownBy(() -> fixture.open("replaced").pin())
          .isInstanceOf(OverloadedException.class);
    }
  }

  @Test
  void reservedNamesAreNobodysStores() {
    CatalogEntry entry = StoreFixture.entry("s");
    assertThat(fixture.registry.reserve(entry.id())).isTrue();
    assertThat(fixture.registry.reserve(StoreFixture.entry("s").id())).isFalse();
    assertThat(fixture.registry.open(StoreKind.GENERIC, new StoreName("s"))).isEmpty();
    assertThat(fixture.registry.entries(StoreKind.GENERIC)).isEmpty();
    assertThat(fixture.registry.beginDrop(entry.id())).isFalse();
    fixture.registry.unreserve(entry.id());
    assertThat(fixture.registry.reserve(entry.id())).isTrue();
    fixture.registry.publish(entry);
    assertThat(fixture.registry.entries(StoreKind.GENERIC)).containsExactly(entry);
  }

  private Set<Store> inParallel(int threads, java.util.function.Supplier<Store> open)
      throws Exception {
    Set<Store> stores = ConcurrentHashMap.newKeySet();
    CountDownLatch go = new CountDownLatch(1);
    AtomicInteger ready = new AtomicInteger();
    try (ExecutorService pool = Executors.newFixedThreadPool(threads)) {
      List<Future<?>> all = new ArrayList<>();
      for (int i = 0; i < threads; i++) {
        all.add(
            pool.submit(
                () -> {
                  ready.incrementAndGet();
                  await(go);
                  stores.add(open.get());
                }));
      }
      go.countDown();
      for (Future<?> one : all) {
        one.get(60, TimeUnit.SECONDS);
      }
    }
    return stores;
  }

  private static void await(CountDownLatch latch) {
    try {
      assertThat(latch.await(30, TimeUnit.SECONDS)).isTrue();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private static int rowsInGenerations(Store store) {
    try (Pin pin = store.pin()) {
      return pin.view().newestFirst().stream().mapToInt(g -> g.rowCount()).sum();
    }
  }

  private static long bytesOf(Store store) {
    try (Pin pin = store.pin()) {
      return pin.view().newestFirst().stream().mapToLong(g -> g.bytes()).sum();
    }
  }
}
