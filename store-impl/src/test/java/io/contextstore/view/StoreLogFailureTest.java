package io.contextstore.view;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.contextstore.api.error.OverloadedException;
import io.contextstore.generation.Memtable;
import io.contextstore.log.AppendResult;
import io.contextstore.log.ForwardingLog;
import io.contextstore.log.FrameDraft;
import io.contextstore.log.InMemoryLog;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A store on a log that fails or hangs when the test says so. */
class StoreLogFailureTest {
  @TempDir Path data;
  private final FaultyLog log = new FaultyLog();
  private StoreFixture fixture;
  private Store store;

  @BeforeEach
  void open() {
    fixture = new StoreFixture(data);
    Store real = fixture.create("s");
    ViewDisposer disposer = new ViewDisposer(fixture.environment.disposerThreads());
    SegmentRetention retention =
        new SegmentRetention(log, fixture.budget, fixture.environment.disposerThreads(), 0);
    Memtable memtable = retention.openMemtable(1, 0);
    BaseVersion base =
        new BaseVersion(fixture.tables.tables().openReader(fixture.ownership.location(real.id())));
    store =
        new Store(
            real.entry(),
            real.schema(),
            fixture.environment,
            new OpenedLog(
                log,
                retention,
                View.first(base, List.of(), memtable.generation(), disposer),
                memtable),
            disposer,
            new MaintenanceSlot());
  }

  @AfterEach
  void close() throws Exception {
    store.close().toCompletableFuture().get(30, TimeUnit.SECONDS);
    fixture.close();
  }

  @Test
  void aLogThatFailsForGoodLeavesTheOutcomeUnknownAndFreesTheRows() {
    fixture.append(store, "a", 1);
    long kept = fixture.budget.used();
    log.failure = new IllegalStateException("for the test");

    assertThatThrownBy(() -> fixture.append(store, "b", 2))
        .isInstanceOfSatisfying(
            OverloadedException.class, e -> assertThat(e.outcomeUnknown()).isTrue());
    assertThat(store.closeLog()).isTrue();
    assertThat(store.failure()).isPresent();
    assertThatThrownBy(() -> fixture.append(store, "c", 3))
        .isInstanceOf(OverloadedException.class)
        .hasMessageContaining("nothing was written");
    assertThat(fixture.budget.used()).isEqualTo(kept);
    try (Pin pin = store.pin()) {
      assertThat(pin.view().active().rowCount()).isEqualTo(1);
    }
  }

  @Test
  void aDurableRowThatIsNotTakenOverFailsTheStoreAndIsFreed() {
    log.lsnShift = 1;
    assertThatThrownBy(() -> fixture.append(store, "a", 1))
        .isInstanceOfSatisfying(
            OverloadedException.class, e -> assertThat(e.outcomeUnknown()).isTrue());
    assertThat(store.closeLog()).isTrue();
    assertThat(store.failure()).isPresent();
    assertThat(fixture.budget.used()).isZero();
  }

  @Test
  void whileACallHangsReadsGoOnAndTheRowsStayWhereTheCallMayReadThem() throws Exception {
    fixture.append(store, "a", 1);
    final long kept = fixture.budget.used();
    log.hang = new CountDownLatch(1);
    CompletableFuture<Long> append =
        CompletableFuture.supplyAsync(() -> fixture.append(store, "b", 2));
    assertThat(log.entered.await(30, TimeUnit.SECONDS)).isTrue();
    // What passing the deadline does, without the half minute: the call is given up.
    assertThat(store.closeLog(Duration.ZERO)).isFalse();

    assertThatThrownBy(() -> append.get(30, TimeUnit.SECONDS))
        .isInstanceOf(ExecutionException.class)
        .cause()
        .isInstanceOfSatisfying(
            OverloadedException.class, e -> assertThat(e.outcomeUnknown()).isTrue());
    assertThat(store.failure()).as("it must not be opened again yet").isEmpty();
    assertThatThrownBy(() -> fixture.append(store, "c", 3))
        .isInstanceOf(OverloadedException.class)
        .hasMessageContaining("nothing was written");
    try (Pin pin = store.pin()) {
      assertThat(pin.view().active().rowCount()).isEqualTo(1);
    }
    assertThat(fixture.budget.used()).as("b's memory").isGreaterThan(kept);

    log.hang.countDown();
    assertThat(store.closeLog()).isTrue();
    assertThat(store.failure()).isPresent();
    assertThat(fixture.budget.used()).isEqualTo(kept);
  }

  /** An {@link InMemoryLog} with faults in its append. */
  private static final class FaultyLog extends ForwardingLog {
    private final CountDownLatch entered = new CountDownLatch(1);
    private volatile RuntimeException failure;
    private volatile CountDownLatch hang;
    private volatile int lsnShift;

    FaultyLog() {
      super(new InMemoryLog(1 << 20));
    }

    @Override
    public AppendResult append(List<FrameDraft> group) {
      CountDownLatch wait = hang;
      if (wait != null) {
        entered.countDown();
        try {
          wait.await();
        } catch (InterruptedException e) {
          throw new AssertionError(e);
        }
      }
      if (failure != null) {
        throw failure;
      }
      AppendResult result = super.append(group);
      return new AppendResult(
          result.firstLsn() + lsnShift, result.lastLsn() + lsnShift, result.sealAdvised());
    }
  }
}
