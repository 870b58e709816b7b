package io.contextstore.maintenance;

import static org.assertj.core.api.Assertions.assertThat;

import io.contextstore.generation.Generation;
import io.contextstore.guard.MemoryOnly;
import io.contextstore.merge.MergeOutcome;
import io.contextstore.merge.MergeOutcome.Phase;
import io.contextstore.merge.MergePlan;
import io.contextstore.merge.MergeWriter;
import io.contextstore.view.CatalogEntry;
import io.contextstore.view.MaintenanceSlot;
import io.contextstore.view.Store;
import io.contextstore.view.StoreFixture;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CoordinatorTest {
  private static final MergeLimits LIMITS = new MergeLimits(2, 3, 1L << 30);

  @TempDir Path data;
  private final Coordinator coordinator = new Coordinator();
  private StoreFixture fixture;
  private Store store;

  @BeforeEach
  void open() {
    fixture = new StoreFixture(data);
    store = fixture.create("s");
  }

  @AfterEach
  void close() {
    fixture.close();
  }

  @Test
  void aMergeIsPreparedWhenItsTriggerSaysSo() {
    assertThat(prepare(MergeTrigger.CLEANUP)).isInstanceOf(Prepared.NotDue.class);
    seal(1);
    assertThat(prepare(MergeTrigger.COUNT)).isInstanceOf(Prepared.NotDue.class);
    for (MergeTrigger trigger : MergeTrigger.values()) {
      if (trigger != MergeTrigger.COUNT) {
        ready(trigger).release();
      }
    }
    seal(2);
    ready(MergeTrigger.COUNT).release();
  }

  @Test
  void aPlanTakesTheOldestGenerationsWithinTheLimits() {
    for (int i = 1; i <= 5; i++) {
      seal(i);
    }
    MergePlan plan = ready(MergeTrigger.CLEANUP);
    assertThat(plan.generations()).extracting(Generation::segment).containsExactly(1L, 2L, 3L);
    assertThat(plan.expectedWatermark()).isZero();
    assertThat(plan.watermark()).isEqualTo(3);
    assertThat(plan.isPartial()).isTrue();
    plan.release();
  }

  @Test
  void aPassTakesOneGenerationHoweverLargeAndAsManyAsFit() {
    for (int i = 1; i <= 3; i++) {
      seal(i);
    }
    var pending = ready(MergeTrigger.CLEANUP);
    var generations = pending.pin().view().sealed();
    long one = generations.getFirst().bytes();
    assertThat(new MergeLimits(0, 0, 1).choose(generations)).hasSize(1);
    assertThat(new MergeLimits(0, 0, 2 * one).choose(generations)).hasSize(2);
    assertThat(new MergeLimits(0, 0, 2 * one - 1).choose(generations)).hasSize(1);
    assertThat(new MergeLimits(0, 0, 1L << 40).choose(generations)).hasSize(3);
    assertThat(new MergeLimits(0, 2, 1L << 40).choose(generations)).hasSize(2);
    assertThat(new MergeLimits(0, 0, 1).isDue(100)).isFalse();
    pending.release();
  }

  @Test
  void aBusySlotTellsWhenItIsFreeAndAPreparationThatComesToNothingFreesIt() throws Exception {
    seal(1);
    MergePlan plan = ready(MergeTrigger.CLEANUP);
    Prepared.Busy<MergePlan> busy = (Prepared.Busy<MergePlan>) prepare(MergeTrigger.CLEANUP);
    assertThat(busy.whenFree().toCompletableFuture()).isNotDone();
    coordinator.abandonMerge(
        plan, new MergeOutcome.Failed(Phase.WRITE, new IllegalStateException(), false));
    busy.whenFree().toCompletableFuture().get(10, java.util.concurrent.TimeUnit.SECONDS);

    assertThat(prepare(MergeTrigger.COUNT)).isInstanceOf(Prepared.NotDue.class);
    ready(MergeTrigger.CLEANUP).release();
  }

  @Test
  void aStoreThatFailedOrIsClosedIsAnAnswerAndNoException() {
    seal(1);
    MergePlan plan = ready(MergeTrigger.CLEANUP);
    coordinator.abandonMerge(
        plan, new MergeOutcome.Failed(Phase.OPEN, new IllegalStateException("x"), true));
    assertThat(store.failure()).isPresent();
    assertThat(prepare(MergeTrigger.CLEANUP)).isInstanceOf(Prepared.NotServing.class);
    Store again = fixture.open("s");
    assertThat(prepare(MergeTrigger.CLEANUP)).isInstanceOf(Prepared.NotServing.class);
    store = again;
    ready(MergeTrigger.CLEANUP).release();
    store.close();
    assertThat(prepare(MergeTrigger.CLEANUP)).isInstanceOf(Prepared.NotServing.class);
    assertThat(store.slot().tryClaim()).isInstanceOf(MaintenanceSlot.Claim.class);
  }

  @Test
  void aCommitRunsUnderTheMarkAndFreesNothingItself() {
    seal(1);
    MergePlan plan = ready(MergeTrigger.CLEANUP);
    MergeOutcome.Merged merged = merge(plan);
    assertThat(fixture.disposedUnderTheLock).hasValue(0);
    coordinator.commitMerge(plan, merged);

    // The old view went to the disposer from under the mark, and was closed outside of it.
    assertThat(fixture.disposedUnderTheLock).hasPositiveValue();
    assertThat(MemoryOnly.ioAllowed()).isTrue();
    fixture.settle();
    assertThat(fixture.budget.used()).isZero();
    assertThat(fixture.baseRows(store)).isEqualTo(Map.of("k1", 1L));
    assertThat(store.slot().tryClaim()).isInstanceOf(MaintenanceSlot.Claim.class);
  }

  @Test
  void aCommitForAStoreThatIsGoneGivesEverythingBack() {
    seal(1);
    MergePlan plan = ready(MergeTrigger.CLEANUP);
    MergeOutcome.Merged merged = merge(plan);
    coordinator.prepareDrop(fixture.registry, store.id());
    assertThat(coordinator.commitDrop(fixture.registry, store.id())).isPresent();
    store.close();
    coordinator.commitMerge(plan, merged);
    fixture.settle();
    assertThat(fixture.budget.used()).isZero();
  }

  @Test
  void namesAreKeptFromPrepareToCommitOrAbandon() {
    CatalogEntry entry = StoreFixture.entry("t");
    assertThat(coordinator.prepareCreate(fixture.registry, entry.id())).isTrue();
    assertThat(coordinator.prepareCreate(fixture.registry, StoreFixture.entry("t").id())).isFalse();
    coordinator.abandonCreate(fixture.registry, entry.id());
    assertThat(coordinator.prepareCreate(fixture.registry, entry.id())).isTrue();
    coordinator.commitCreate(fixture.registry, entry);
    assertThat(coordinator.prepareCreate(fixture.registry, entry.id())).isFalse();

    assertThat(coordinator.prepareDrop(fixture.registry, StoreFixture.entry("t").id())).isFalse();
    assertThat(coordinator.prepareDrop(fixture.registry, entry.id())).isTrue();
    assertThat(coordinator.prepareDrop(fixture.registry, entry.id())).isFalse();
    coordinator.abandonDrop(fixture.registry, entry.id());
    assertThat(coordinator.prepareDrop(fixture.registry, entry.id())).isTrue();
    assertThat(coordinator.commitDrop(fixture.registry, entry.id())).isEmpty();
    assertThat(coordinator.prepareDrop(fixture.registry, entry.id())).isFalse();
  }

  private MergeOutcome.Merged merge(MergePlan plan) {
    return (MergeOutcome.Merged)
        new MergeWriter(fixture.tables.tables(), fixture.root, fixture.ownership)
            .write(plan, (phase, took) -> {});
  }

  private Prepared<MergePlan> prepare(MergeTrigger trigger) {
    return coordinator.prepareMerge(store, trigger, LIMITS);
  }

  private MergePlan ready(MergeTrigger trigger) {
    return ((Prepared.Ready<MergePlan>) prepare(trigger)).plan();
  }

  private void seal(int n) {
    fixture.append(store, "k" + n, n);
    fixture.seal(store);
  }
}
