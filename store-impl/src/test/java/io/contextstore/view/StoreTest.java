package io.contextstore.view;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.contextstore.api.error.OverloadedException;
import io.contextstore.api.error.TooLargeException;
import io.contextstore.generation.Generation;
import io.contextstore.generation.KeyBytes;
import io.contextstore.generation.Match;
import io.contextstore.guard.MemoryOnly;
import io.contextstore.log.FrameBody;
import io.contextstore.log.SealOutcome;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.apache.arrow.vector.BigIntVector;
import org.apache.arrow.vector.BitVectorHelper;
import org.apache.arrow.vector.LargeVarBinaryVector;
import org.apache.arrow.vector.VarCharVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StoreTest {
  private static final long BUDGET = 64 << 10;

  @TempDir Path data;
  private StoreFixture fixture;
  private Store store;

  @BeforeEach
  void open() {
    fixture = new StoreFixture(data, BUDGET);
    store = fixture.create("s");
  }

  @AfterEach
  void close() {
    fixture.close();
  }

  @Test
  void aPinSeesItsSnapshotAcrossSealsAndMerges() {
    fixture.append(store, "a", 1);
    try (Pin pin = store.pin()) {
      fixture.append(store, "a", 2, "b", 2);
      assertThat(value(pin, "a")).isEqualTo(1);
      assertThat(find(pin, "b")).isInstanceOf(Match.Absent.class);
      assertThat(fixture.seal(store)).isInstanceOf(SealOutcome.Sealed.class);
      fixture.append(store, "a", 3);
      fixture.delete(store, "b");
      swap(1);
      fixture.settle();

      assertThat(value(pin, "a")).isEqualTo(1);
      assertThat(find(pin, "b")).isInstanceOf(Match.Absent.class);
      try (Pin now = store.pin()) {
        assertThat(value(now, "a")).isEqualTo(3);
        assertThat(find(now, "b")).isInstanceOf(Match.Deleted.class);
        assertThat(now.view().sealed()).isEmpty();
      }
    }
  }

  @Test
  void mergedRowsAreFreedWithTheLastPinAndNotBefore() {
    fixture.append(store, "a", 1);
    final long sealedBytes = fixture.budget.used();
    fixture.seal(store);
    fixture.append(store, "b", 1);
    final long all = fixture.budget.used();
    Pin first = store.pin();
    Pin second = store.pin();
    swap(1);
    fixture.settle();
    assertThat(fixture.budget.used()).isEqualTo(all);

    first.close();
    first.close();
    fixture.settle();
    assertThat(fixture.budget.used()).isEqualTo(all);
    assertThat(value(second, "a")).isEqualTo(1);
    second.close();
    fixture.settle();
    assertThat(fixture.budget.used()).isEqualTo(all - sealedBytes);
  }

  @Test
  void pinsCloseInAnyOrder() {
    Random random = new Random(17);
    List<Pin> pins = new ArrayList<>();
    for (int segment = 1; segment <= 12; segment++) {
      fixture.append(store, "a", segment, "k" + segment, segment);
      pins.add(store.pin());
      fixture.seal(store);
      pins.add(store.pin());
      if (segment % 3 == 0) {
        swap(segment - 1);
        pins.add(store.pin());
      }
    }
    Collections.shuffle(pins, random);
    for (int i = 0; i < pins.size(); i++) {
      pins.get(i).close();
      for (Pin open : pins.subList(i + 1, pins.size())) {
        open.view().newestFirst().forEach(g -> assertThat(g.chunksAt(Long.MAX_VALUE)).isNotNull());
      }
    }
    fixture.settle();
    try (Pin pin = store.pin()) {
      assertThat(pin.view().sealed()).extracting(Generation::segment).containsExactly(12L);
      long live = pin.view().newestFirst().stream().mapToLong(Generation::bytes).sum();
      assertThat(fixture.budget.used()).isEqualTo(live);
    }
  }

  @Test
  void aMergeThatEndsAfterTheStoreWasClosedIsDisposedOfOutsideTheLock() throws Exception {
    fixture.append(store, "a", 1);
    fixture.seal(store);
    Pin plan = store.pin();
    BaseVersion base = base();
    store.close();

    MemoryOnly.run(
        "commitMerge",
        () -> {
          store.swapMerged(base, 1);
          plan.close();
        });
    store.whenClosed().toCompletableFuture().get(30, TimeUnit.SECONDS);
    assertThatThrownBy(base::release).hasMessageContaining("released twice");
  }

  @Test
  void aMergeResultThatNobodyTookIsClosedAndOneThatWasTakenIsNot() {
    BaseVersion untaken = base();
    untaken.discard();
    untaken.discard();
    assertThatThrownBy(untaken::release).hasMessageContaining("released twice");

    BaseVersion taken = base();
    store.swapMerged(taken, 0);
    taken.discard();
    try (Pin pin = store.pin()) {
      assertThat(pin.view().base()).isSameAs(taken);
      taken.retain();
      taken.release();
    }
    assertThatThrownBy(() -> store.swapMerged(taken, 0)).hasMessageContaining("taken over twice");
  }

  @Test
  void withTheBudgetFullNothingIsWrittenAndMaintenanceIsCalled() {
    int rows = 0;
    while (true) {
      try {
        fixture.append(store, "key-" + rows, rows);
        rows++;
      } catch (OverloadedException e) {
        assertThat(e).hasMessageContaining("nothing was written");
        assertThat(e.outcomeUnknown()).isFalse();
        break;
      }
    }
    assertThat(rows).isPositive();
    assertThat(fixture.budget.used()).isLessThanOrEqualTo(BUDGET);
    assertThat(fixture.memoryLow).hasPositiveValue();
    try (Pin pin = store.pin()) {
      assertThat(find(pin, "key-" + rows)).isInstanceOf(Match.Absent.class);
      assertThat(pin.view().active().rowCount()).isEqualTo(rows);
    }
    fixture.seal(store);
    swap(1);
    fixture.settle();
    assertThat(fixture.budget.used()).isZero();
    fixture.append(store, "again", 1);
  }

  @Test
  void rowsThatNoFrameCanHoldAreTooLargeAndNotAnInternalError() {
    try (StoreFixture large = new StoreFixture(data.resolve("large"), 8L << 30)) {
      Store into = large.create("s");
      VarCharVector ids = new VarCharVector("id", large.root);
      ids.setSafe(0, new byte[] {'a'});
      LargeVarBinaryVector blob = new LargeVarBinaryVector("blob", large.root);
      // Never touched, so the machine does not have to have it.
      long bytes = FrameBody.MAX_LENGTH + 1L;
      blob.allocateNew(bytes, 1);
      blob.getOffsetBuffer().setLong(Long.BYTES, bytes);
      BitVectorHelper.setBit(blob.getValidityBuffer(), 0);
      blob.setLastSet(0);
      VectorSchemaRoot root = VectorSchemaRoot.of(ids, blob);
      root.setRowCount(1);
      assertThatThrownBy(() -> into.append(root, false)).isInstanceOf(TooLargeException.class);
      assertThat(large.budget.used()).isZero();
    }
  }

  @Test
  void aClosedStoreRefusesWithoutAnEffectAndKeepsNoMemory() {
    fixture.append(store, "a", 1);
    store.close();
    store.close();
    assertThatThrownBy(() -> fixture.append(store, "b", 1))
        .isInstanceOf(OverloadedException.class)
        .hasMessageContaining("nothing was written");
    assertThatThrownBy(store::pin).isInstanceOf(OverloadedException.class);
    assertThat(store.pinIfServing()).isEmpty();
    fixture.settle();
    assertThat(fixture.budget.used()).isZero();
    assertThat(fixture.rows.getAllocatedMemory()).isZero();
  }

  @Test
  void segmentsGoWhenTheirRowsAreMergedAndNobodyReadsThem() {
    fixture.append(store, "a", 1);
    fixture.seal(store);
    fixture.append(store, "b", 1);
    fixture.seal(store);
    assertThat(segments()).isEqualTo(3);

    Pin reader = store.pin();
    swap(1);
    fixture.settle();
    assertThat(segments()).isEqualTo(3);
    swap(2);
    fixture.settle();
    assertThat(segments()).isEqualTo(3);
    reader.close();
    fixture.settle();
    assertThat(segments()).isEqualTo(1);
  }

  private long segments() {
    String[] files = fixture.folder.logFolder(store.id()).toFile().list();
    return files == null ? -1 : files.length;
  }

  /** As if a merge of all segments up to this one had landed. */
  private void swap(long watermark) {
    BaseVersion base = base();
    MemoryOnly.run("commitMerge", () -> store.swapMerged(base, watermark));
  }

  private BaseVersion base() {
    return new BaseVersion(
        fixture.tables.tables().openReader(fixture.ownership.location(store.id())));
  }

  private static Match find(Pin pin, String key) {
    KeyBytes bytes = KeyBytes.of(key.getBytes(StandardCharsets.UTF_8));
    for (Generation generation : pin.view().newestFirst()) {
      Match match = generation.find(bytes, pin.visibleLsn());
      if (!(match instanceof Match.Absent)) {
        return match;
      }
    }
    return new Match.Absent();
  }

  private static long value(Pin pin, String key) {
    Match.Live live = (Match.Live) find(pin, key);
    return ((BigIntVector) live.chunk().root().getVector("n")).get(live.row());
  }
}
