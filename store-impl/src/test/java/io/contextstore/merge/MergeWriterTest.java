package io.contextstore.merge;

import static org.assertj.core.api.Assertions.assertThat;

import io.contextstore.generation.Generation;
import io.contextstore.merge.MergeOutcome.Failed;
import io.contextstore.merge.MergeOutcome.Merged;
import io.contextstore.merge.MergeOutcome.Phase;
import io.contextstore.table.CommitOutcome;
import io.contextstore.table.FoundRows;
import io.contextstore.table.MergePass;
import io.contextstore.table.SyncedVersion;
import io.contextstore.table.TableLocation;
import io.contextstore.view.MaintenanceSlot;
import io.contextstore.view.Pin;
import io.contextstore.view.Store;
import io.contextstore.view.StoreFixture;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The write step against a real table, with other commits coming in between. */
class MergeWriterTest {
  @TempDir Path data;
  private StoreFixture fixture;
  private Store store;
  private MergeWriter writer;
  private long merged;
  private final List<Phase> phases = new ArrayList<>();

  @BeforeEach
  void open() {
    fixture = new StoreFixture(data);
    store = fixture.create("s");
    writer = new MergeWriter(fixture.tables.tables(), fixture.root, fixture.ownership);
    seal("a", 1, "b", 1, "c", 1);
    swapped(write(this::count));
    phases.clear();
  }

  @AfterEach
  void close() {
    fixture.close();
  }

  @Test
  void theNewestRowOfEachKeyReplacesTheBasesAndTombstonesRemoveIt() {
    seal("a", 2, "d", 2);
    fixture.delete(store, "b", "never");
    fixture.append(store, "d", 3);
    fixture.seal(store);

    Merged merged = (Merged) write(this::count);
    assertThat(merged.rows()).isEqualTo(2);
    assertThat(merged.replaced()).isEqualTo(2);
    assertThat(merged.watermark()).isEqualTo(3);
    swapped(merged);
    assertThat(fixture.baseRows(store)).isEqualTo(Map.of("a", 2L, "c", 1L, "d", 3L));
    assertThat(phases)
        .containsExactly(Phase.LOOK_UP, Phase.LOOK_UP, Phase.WRITE, Phase.COMMIT, Phase.OPEN);
  }

  @Test
  void aMergeOfTombstonesOnlyCommitsItsWatermark() {
    fixture.delete(store, "a", "b", "c");
    fixture.seal(store);
    swapped(write(this::count));
    assertThat(fixture.baseRows(store)).isEmpty();
    seal("b", 5);
    swapped(write(this::count));
    assertThat(fixture.baseRows(store)).isEqualTo(Map.of("b", 5L));
  }

  @Test
  void afterAConflictAllOfItIsRedone() {
    seal("a", 2);
    // Somebody removes another row of the same fragment while the pass writes.
    Merged merged = (Merged) write(onceAfter(Phase.WRITE, () -> removeFromBase("b")));
    swapped(merged);
    assertThat(fixture.baseRows(store)).isEqualTo(Map.of("a", 2L, "c", 1L));
    assertThat(phases).containsSubsequence(Phase.COMMIT, Phase.LOOK_UP, Phase.WRITE, Phase.COMMIT);
  }

  @Test
  void aCommitThatLandsOnSomethingElseThanItReadIsTakenOverOnce() {
    seal("a", 2, "e", 2);
    Merged merged =
        (Merged)
            write(
                onceAfter(
                    Phase.WRITE,
                    () ->
                        assertThat(
                                fixture
                                    .tables
                                    .tables()
                                    .writeFloor(location(), fixture.ownership.epoch(), 1))
                            .isInstanceOf(CommitOutcome.Committed.class)));
    swapped(merged);
    assertThat(fixture.baseRows(store)).isEqualTo(Map.of("a", 2L, "b", 1L, "c", 1L, "e", 2L));
    seal("a", 3);
    swapped(write(this::count));
    assertThat(fixture.baseRows(store)).containsEntry("a", 3L).hasSize(4);
  }

  @Test
  void severalConflictsInARowAreRedone() {
    seal("a", 2);
    List<String> victims = new ArrayList<>(List.of("b", "c"));
    swapped(
        write(
            (phase, took) -> {
              if (phase == Phase.WRITE && !victims.isEmpty()) {
                removeFromBase(victims.removeFirst());
              }
            }));
    assertThat(victims).isEmpty();
    assertThat(fixture.baseRows(store)).isEqualTo(Map.of("a", 2L));
  }

  @Test
  void afterTooManyConflictsTheGenerationsStayPending() {
    seal("p", 1, "q", 1, "r", 1, "s", 1, "t", 1);
    swapped(write(this::count));
    seal("p", 2);
    List<String> victims = new ArrayList<>(List.of("q", "r", "s", "t"));
    Failed failed =
        (Failed)
            write(
                (phase, took) -> {
                  if (phase == Phase.WRITE && !victims.isEmpty()) {
                    removeFromBase(victims.removeFirst());
                  }
                });
    assertThat(failed.phase()).isEqualTo(Phase.COMMIT);
    assertThat(failed.reopen()).isFalse();
    swapped(write(this::count));
    assertThat(fixture.baseRows(store)).isEqualTo(Map.of("a", 1L, "b", 1L, "c", 1L, "p", 2L));
  }

  @Test
  void aStoreThatFailedMeanwhileIsNotMergedAnyFurther() {
    seal("a", 2);
    Failed failed =
        (Failed)
            write(
                onceAfter(
                    Phase.WRITE,
                    () -> {
                      removeFromBase("b");
                      store.fail(new IllegalStateException("for the test"));
                    }));
    assertThat(failed.cause()).hasMessage("for the test");
    assertThat(fixture.baseRows(store)).isEqualTo(Map.of("a", 1L, "c", 1L));
    store = fixture.open("s");
    swapped(write(this::count));
    assertThat(fixture.baseRows(store)).isEqualTo(Map.of("a", 2L, "c", 1L));
  }

  @Test
  void aReportThatThrowsDoesNotMakeAMergeFail() {
    seal("a", 2);
    MergeOutcome outcome =
        write(
            (phase, took) -> {
              throw new IllegalStateException("metrics are broken");
            });
    assertThat(outcome).isInstanceOf(Merged.class);
    swapped(outcome);
    assertThat(fixture.baseRows(store)).containsEntry("a", 2L);
  }

  @Test
  void whatFailsBeforeTheCommitChangesNothingAndIsTriedAgain() throws Exception {
    seal("a", 2);
    Path table = fixture.folder.tableFolder(store.id());
    Path away = data.resolve("away");
    Files.move(table, away);
    Failed failed = (Failed) write(this::count);
    assertThat(failed.phase()).isEqualTo(Phase.LOOK_UP);
    assertThat(failed.reopen()).isFalse();
    fixture.rows.assertOpen();
    Files.move(away, table);
    swapped(write(this::count));
    assertThat(fixture.baseRows(store)).containsEntry("a", 2L);
  }

  @Test
  void aTableWithANewOwnerIsLookedAtAfresh() {
    seal("a", 2);
    fixture
        .tables
        .tables()
        .takeOwnership(location(), fixture.ownership.epoch() + 1, SyncedVersion.NONE)
        .reader()
        .close();
    Failed failed = (Failed) write(this::count);
    assertThat(failed.reopen()).isTrue();
    assertThat(fixture.baseRows(store)).containsEntry("a", 1L);
  }

  @Test
  void aTableWithAnotherWatermarkIsLookedAtAfresh() {
    seal("a", 2);
    MergePlan plan = plan();
    Merged first = (Merged) writer.write(plan, this::count);
    first.base().discard();
    // As after a commit whose view was never swapped: the same generations again.
    Failed second = (Failed) writer.write(plan, this::count);
    plan.release();
    assertThat(second.reopen()).isTrue();
    assertThat(fixture.baseRows(store)).containsEntry("a", 2L).hasSize(3);
    store.fail(second.cause());
    store = fixture.open("s");
    try (Pin pin = store.pin()) {
      assertThat(pin.view().sealed()).isEmpty();
    }
  }

  private MergeReport onceAfter(Phase phase, Runnable action) {
    boolean[] done = new boolean[1];
    return (ended, took) -> {
      count(ended, took);
      if (ended == phase && !done[0]) {
        done[0] = true;
        action.run();
      }
    };
  }

  private void count(Phase phase, Duration took) {
    phases.add(phase);
  }

  /** A commit of another pass, which leaves the watermark where it is. */
  private void removeFromBase(String id) {
    try (MergePass other =
        fixture.tables.tables().beginMerge(location(), fixture.ownership.epoch(), merged)) {
      FoundRows found =
          other.findRows((ids, row) -> new String(ids.get(row), StandardCharsets.UTF_8).equals(id));
      assertThat(found.count()).isEqualTo(1);
      other.deleteRows(found);
      assertThat(other.commit(merged)).isInstanceOf(CommitOutcome.Committed.class);
    }
  }

  private TableLocation location() {
    return fixture.ownership.location(store.id());
  }

  private void seal(Object... idsAndNumbers) {
    fixture.append(store, idsAndNumbers);
    fixture.seal(store);
  }

  private MergePlan plan() {
    Pin pin = store.pin();
    List<Generation> generations = pin.view().sealed();
    return new MergePlan(store, (MaintenanceSlot.Claim) store.slot().tryClaim(), pin, generations);
  }

  private MergeOutcome write(MergeReport report) {
    MergePlan plan = plan();
    try {
      return writer.write(plan, report);
    } finally {
      plan.release();
    }
  }

  private void swapped(MergeOutcome outcome) {
    Merged merged = (Merged) outcome;
    store.swapMerged(merged.base(), merged.watermark());
    this.merged = merged.watermark();
  }
}
