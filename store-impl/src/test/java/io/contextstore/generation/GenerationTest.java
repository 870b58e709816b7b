package io.contextstore.generation;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.IntVector;
import org.apache.arrow.vector.VarCharVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class GenerationTest {
  private BufferAllocator allocator;
  private final AtomicInteger freed = new AtomicInteger();
  private Memtable memtable;

  @BeforeEach
  void open() {
    allocator = new RootAllocator();
    memtable = Memtable.open(7, 0, bytes -> freed.incrementAndGet());
  }

  @AfterEach
  void close() {
    memtable.generation().release();
    assertThat(freed).hasValue(1);
    allocator.close();
  }

  @Test
  void newestRowOfAKeyWinsAtItsLsnAndTheOlderOneBelowIt() {
    memtable.append(1, rows("a", 1, "b", 2), false);
    memtable.append(2, rows("a", 3), false);

    assertThat(value("a", 1)).isEqualTo(1);
    assertThat(value("a", 2)).isEqualTo(3);
    assertThat(value("b", 2)).isEqualTo(2);
    assertThat(visible(1)).containsOnly(Map.entry("a", 1), Map.entry("b", 2));
    assertThat(visible(2)).containsOnly(Map.entry("a", 3), Map.entry("b", 2));
  }

  @Test
  void lastOfSeveralRowsWithOneKeyInOneBatchWins() {
    memtable.append(1, rows("a", 1, "a", 2, "a", 3), false);

    assertThat(value("a", 1)).isEqualTo(3);
    assertThat(visible(1)).containsOnly(Map.entry("a", 3));
  }

  @Test
  void tombstoneDeletesFromItsLsnOn() {
    memtable.append(1, rows("a", 1), false);
    memtable.append(2, tombstones("a", "never-there"), true);
    memtable.append(3, rows("a", 9), false);

    assertThat(value("a", 1)).isEqualTo(1);
    assertThat(find("a", 2)).isInstanceOf(Match.Deleted.class);
    assertThat(find("never-there", 2)).isInstanceOf(Match.Deleted.class);
    assertThat(find("never-there", 1)).isInstanceOf(Match.Absent.class);
    assertThat(visible(2)).isEmpty();
    assertThat(value("a", 3)).isEqualTo(9);
  }

  @Test
  void nothingIsSeenBelowTheFirstLsn() {
    memtable.append(5, rows("a", 1), false);

    assertThat(find("a", 4)).isInstanceOf(Match.Absent.class);
    assertThat(memtable.generation().chunksAt(4).count()).isZero();
    assertThat(memtable.generation().visibleLsn()).isEqualTo(5);
  }

  @Test
  void keysInArrowMemoryAndOnTheHeapHashAlike() {
    StringBuilder key = new StringBuilder();
    try (VarCharVector ids = new VarCharVector("id", allocator)) {
      for (int i = 0; i < 40; i++) {
        key.append((char) ('a' + i % 26)).append(i % 3 == 0 ? "雪" : "");
        byte[] utf8 = key.toString().getBytes(StandardCharsets.UTF_8);
        ids.setSafe(i, utf8);
        ids.setValueCount(i + 1);
        KeyBytes direct = KeyBytes.of(ids, i);
        assertThat(direct.hash()).isEqualTo(KeyBytes.of(utf8).hash());
        assertThat(direct.sameAs(ids, i)).isTrue();
        assertThat(KeyBytes.of(utf8).sameAs(ids, i)).isTrue();
        assertThat(i > 0 && KeyBytes.of(utf8).sameAs(ids, i - 1)).isFalse();
      }
    }
  }

  @Test
  void everyLsnOfARandomHistoryReadsAsItWas() {
    long seed = new Random().nextLong();
    Random random = new Random(seed);
    List<Map<String, Integer>> history = new ArrayList<>();
    Map<String, Integer> model = new HashMap<>();
    history.add(Map.of());
    for (int lsn = 1; lsn <= 400; lsn++) {
      if (random.nextInt(4) == 0) {
        String[] keys = keys(random);
        for (String key : keys) {
          model.remove(key);
        }
        memtable.append(lsn, tombstones(keys), true);
      } else {
        Object[] cells = new Object[2 * random.nextInt(6)];
        for (int i = 0; i < cells.length; i += 2) {
          cells[i] = "k" + random.nextInt(120);
          cells[i + 1] = random.nextInt();
          model.put((String) cells[i], (Integer) cells[i + 1]);
        }
        memtable.append(lsn, rows(cells), false);
      }
      history.add(Map.copyOf(model));
    }
    for (int lsn = 0; lsn <= 400; lsn++) {
      assertThat(visible(lsn)).as("seed %d, lsn %d", seed, lsn).isEqualTo(history.get(lsn));
      for (int key = 0; key < 120; key += 7) {
        Integer expected = history.get(lsn).get("k" + key);
        Match match = find("k" + key, lsn);
        assertThat(match instanceof Match.Live).isEqualTo(expected != null);
      }
    }
  }

  @Test
  void readersBesideTheWriterAlwaysSeeWholeFrames() throws Exception {
    // Each frame overwrites all of ten keys with its LSN: any mix of values is a torn read.
    AtomicBoolean done = new AtomicBoolean();
    Callable<Integer> reader =
        () -> {
          int checked = 0;
          while (!done.get() || checked == 0) {
            long lsn = memtable.generation().visibleLsn();
            Map<String, Integer> seen = visible(lsn);
            if (lsn > 0) {
              assertThat(seen).hasSize(10);
              assertThat(seen.values()).containsOnly((int) lsn);
              assertThat(value("k3", lsn)).isEqualTo((int) lsn);
              checked++;
            }
          }
          return checked;
        };
    try (ExecutorService threads = Executors.newFixedThreadPool(2)) {
      Future<Integer> first = threads.submit(reader);
      Future<Integer> second = threads.submit(reader);
      for (int lsn = 1; lsn <= 3000; lsn++) {
        Object[] cells = new Object[20];
        for (int key = 0; key < 10; key++) {
          cells[2 * key] = "k" + key;
          cells[2 * key + 1] = lsn;
        }
        memtable.append(lsn, rows(cells), false);
      }
      done.set(true);
      assertThat(first.get()).isPositive();
      assertThat(second.get()).isPositive();
    }
  }

  private static String[] keys(Random random) {
    String[] keys = new String[random.nextInt(4)];
    for (int i = 0; i < keys.length; i++) {
      keys[i] = "k" + random.nextInt(120);
    }
    return keys;
  }

  private Match find(String key, long lsn) {
    return memtable.generation().find(KeyBytes.of(key.getBytes(StandardCharsets.UTF_8)), lsn);
  }

  private int value(String key, long lsn) {
    Match.Live live = (Match.Live) find(key, lsn);
    return ((IntVector) live.chunk().root().getVector("n")).get(live.row());
  }

  private Map<String, Integer> visible(long lsn) {
    Map<String, Integer> seen = new HashMap<>();
    for (Chunk chunk : memtable.generation().chunksAt(lsn)) {
      for (int row = 0; row < chunk.rows() && !chunk.tombstones(); row++) {
        if (memtable.generation().isNewestAt(chunk.firstOrdinal() + row, lsn)) {
          String key = new String(chunk.ids().get(row), StandardCharsets.UTF_8);
          int value = ((IntVector) chunk.root().getVector("n")).get(row);
          assertThat(seen.put(key, value)).as("key seen twice").isNull();
        }
      }
    }
    return seen;
  }

  private VectorSchemaRoot rows(Object... keysAndValues) {
    VarCharVector ids = new VarCharVector("id", allocator);
    IntVector values = new IntVector("n", allocator);
    int count = keysAndValues.length / 2;
    ids.setInitialCapacity(count, 8);
    values.setInitialCapacity(count);
    for (int row = 0; row < count; row++) {
      ids.setSafe(row, ((String) keysAndValues[2 * row]).getBytes(StandardCharsets.UTF_8));
      values.setSafe(row, (Integer) keysAndValues[2 * row + 1]);
    }
    VectorSchemaRoot root = VectorSchemaRoot.of(ids, values);
    root.setRowCount(count);
    return root;
  }

  private VectorSchemaRoot tombstones(String... keys) {
    VarCharVector ids = new VarCharVector("id", allocator);
    for (int row = 0; row < keys.length; row++) {
      ids.setSafe(row, keys[row].getBytes(StandardCharsets.UTF_8));
    }
    VectorSchemaRoot root = VectorSchemaRoot.of(ids);
    root.setRowCount(keys.length);
    return root;
  }
}
