package io.contextstore.read;

import static org.assertj.core.api.Assertions.assertThat;

import io.contextstore.filter.FilterCompiler;
import io.contextstore.filter.FilterLimits;
import io.contextstore.filter.RenderedFilter;
import io.contextstore.generation.Memtable;
import io.contextstore.schema.ArrowSchemas;
import io.contextstore.view.Store;
import io.contextstore.view.StoreFixture;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.apache.arrow.vector.BigIntVector;
import org.apache.arrow.vector.VarCharVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FilterCopiesTest {
  private static final int DIVISOR = 3;

  @TempDir Path data;
  private StoreFixture fixture;
  private Store store;
  private RowMatcher matcher;
  private Memtable memtable;
  private long lsn;

  /** Ordinals that match, by LSN: element l has those up to LSN l. */
  private final List<BitSet> expected = new ArrayList<>(List.of(new BitSet()));

  private int rows;

  @BeforeEach
  void open() {
    fixture = new StoreFixture(data);
    store = fixture.create("s");
    RenderedFilter filter =
        new FilterCompiler(FilterLimits.DEFAULT).compile("n = 0", store.entry().schema());
    matcher =
        new FilterTables(fixture.tables, fixture.budget, Duration.ofSeconds(30)).matcher(filter);
    memtable = Memtable.open(1, 0, bytes -> {});
  }

  @AfterEach
  void close() {
    memtable.generation().release();
    assertThat(fixture.budget.used()).isZero();
    fixture.close();
  }

  @ParameterizedTest
  @CsvSource({"4095", "4096", "4097", "4096 1", "4095 1", "4095 2 4095 1", "1 4096 1", "8192 3"})
  void runsEndWhereverTheyEnd(String sizes) {
    for (String size : sizes.split(" ", -1)) {
      put(Integer.parseInt(size));
    }
    checkAll();
    checkAll();
  }

  @Test
  void tombstonesCountAsRowsOfARunAndNeverMatch() {
    delete(4096);
    checkAll();
    assertThat(fixture.budget.used()).as("a run of tombstones has no copy").isZero();
    put(5);
    delete(4000);
    put(100);
    delete(1);
    put(7);
    checkAll();
  }

  @Test
  void anEmptyGenerationMatchesNothing() {
    checkAll();
  }

  @Test
  void aCopyIsMadeOnceAndTheGrowingTailEachTime() {
    put(4096);
    assertThat(matcher.matching(memtable.generation(), lsn)).isEqualTo(expected.getLast());
    long copy = fixture.budget.used();
    assertThat(copy).isPositive();
    for (int i = 0; i < 5; i++) {
      put(3);
      checkAll();
      assertThat(fixture.budget.used()).as("the tail is not kept").isEqualTo(copy);
    }
    put(4096);
    checkAll();
    assertThat(fixture.budget.used()).isGreaterThan(copy);
  }

  @Test
  void anOlderLsnNeverSeesWhatTheCopyOfAnewerOneHolds() {
    put(4000);
    put(50);
    // This frame completes the first run; a reader one LSN before it has the run as its tail.
    put(100);
    put(10);
    assertThat(matcher.matching(memtable.generation(), lsn)).isEqualTo(expected.getLast());
    checkAll();
  }

  @Test
  void manyReadersWhoMissTheSameCopyKeepOne() throws Exception {
    put(4096);
    put(4096);
    put(9);
    try (ExecutorService threads = Executors.newFixedThreadPool(6)) {
      List<Future<BitSet>> all = new ArrayList<>();
      for (int i = 0; i < 12; i++) {
        all.add(threads.submit(() -> matcher.matching(memtable.generation(), lsn)));
      }
      for (Future<BitSet> one : all) {
        assertThat(one.get(60, TimeUnit.SECONDS)).isEqualTo(expected.getLast());
      }
    }
    long kept = fixture.budget.used();
    checkAll();
    assertThat(fixture.budget.used()).isEqualTo(kept);
  }

  @Test
  void randomSizesMatchAtEveryLsn() {
    long seed = new Random().nextLong();
    Random random = new Random(seed);
    for (int i = 0; i < 12; i++) {
      int size = random.nextInt(3) == 0 ? 1 + random.nextInt(5000) : 1 + random.nextInt(300);
      if (random.nextInt(4) == 0) {
        delete(size);
      } else {
        put(size);
      }
    }
    for (int l = (int) lsn; l >= 0; l--) {
      assertThat(matcher.matching(memtable.generation(), l))
          .as("seed %d, lsn %d", seed, l)
          .isEqualTo(expected.get(l));
    }
  }

  private void checkAll() {
    for (int l = 0; l <= lsn; l++) {
      assertThat(matcher.matching(memtable.generation(), l))
          .as("lsn %d", l)
          .isEqualTo(expected.get(l));
    }
  }

  private void put(int count) {
    VectorSchemaRoot root =
        VectorSchemaRoot.create(ArrowSchemas.rows(store.entry().schema()), fixture.rows);
    VarCharVector ids = (VarCharVector) root.getVector("id");
    BigIntVector numbers = (BigIntVector) root.getVector("n");
    BitSet matching = (BitSet) expected.getLast().clone();
    for (int row = 0; row < count; row++) {
      ids.setSafe(row, ("k" + (rows + row)).getBytes(StandardCharsets.UTF_8));
      int n = (rows + row) % DIVISOR;
      numbers.setSafe(row, n);
      if (n == 0) {
        matching.set(rows + row);
      }
    }
    root.setRowCount(count);
    append(root, false, matching, count);
  }

  private void delete(int count) {
    VectorSchemaRoot root = VectorSchemaRoot.create(ArrowSchemas.tombstones(), fixture.rows);
    VarCharVector ids = (VarCharVector) root.getVector(0);
    for (int row = 0; row < count; row++) {
      ids.setSafe(row, ("d" + (rows + row)).getBytes(StandardCharsets.UTF_8));
    }
    root.setRowCount(count);
    append(root, true, expected.getLast(), count);
  }

  private void append(VectorSchemaRoot root, boolean tombstones, BitSet matching, int count) {
    memtable.append(++lsn, root, tombstones);
    expected.add(matching);
    rows += count;
  }
}
