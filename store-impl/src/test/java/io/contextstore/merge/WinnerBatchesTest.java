package io.contextstore.merge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.contextstore.generation.Memtable;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Random;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.IntVector;
import org.apache.arrow.vector.LargeVarCharVector;
import org.apache.arrow.vector.VarCharVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;
import org.apache.arrow.vector.types.pojo.Schema;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class WinnerBatchesTest {
  private static final Schema SCHEMA =
      new Schema(
          List.of(
              new Field("id", FieldType.notNullable(ArrowType.Utf8.INSTANCE), null),
              Field.nullable("n", new ArrowType.Int(32, true)),
              Field.nullable("text", ArrowType.LargeUtf8.INSTANCE)));

  private final BufferAllocator allocator = new RootAllocator();
  private final List<Memtable> memtables = new ArrayList<>();
  private final Map<String, Integer> model = new HashMap<>();
  private long lsn;

  @AfterEach
  void close() {
    memtables.forEach(memtable -> memtable.generation().release());
    allocator.close();
  }

  @Test
  void nothingComesOfNothingAndOfTombstonesOnly() {
    generation();
    assertThat(winners()).isEmpty();
    delete("a", "b");
    generation();
    delete("c");
    assertThat(winners()).isEmpty();
  }

  @Test
  void theNewestRowWinsWithinAndAcrossGenerationsUnlessATombstoneIsNewer() {
    generation();
    put("a", 1, "b", 1, "c", 1, "a", 2);
    delete("c");
    generation();
    delete("b", "d");
    put("c", 3);
    generation();
    put("d", 4);
    delete("a");
    put("a", 5);
    assertThat(winners()).isEqualTo(Map.of("a", 5, "c", 3, "d", 4)).isEqualTo(model);
  }

  @Test
  @SuppressWarnings("ReferenceEquality") // Passed on as it is, not as a copy.
  void aLargeChunkThatWinsAsAWholeIsPassedOnAndOthersAreGathered() {
    generation();
    put("x", 1);
    put(numbered("big", 1024));
    put("y", 2);
    put(numbered("big-too", 1500));
    put(numbered("small", 1023));
    put("big-too7", 9);

    List<Integer> sizes = new ArrayList<>();
    List<VectorSchemaRoot> passedOn = new ArrayList<>();
    try (WinnerBatches batches = batches()) {
      while (batches.hasNext()) {
        VectorSchemaRoot batch = batches.next();
        sizes.add(batch.getRowCount());
        memtables
            .get(0)
            .generation()
            .chunksAt(lsn)
            .iterator()
            .forEachRemaining(
                chunk -> {
                  if (chunk.root() == batch) {
                    passedOn.add(batch);
                  }
                });
      }
      assertThatThrownBy(batches::next).isInstanceOf(NoSuchElementException.class);
    }
    assertThat(sizes).containsExactly(1, 1024, 1 + 1499 + 1023 + 1);
    assertThat(passedOn).hasSize(1);
    assertThat(winners()).isEqualTo(model);
  }

  @Test
  void batchesAreBoundedInRows() {
    generation();
    for (int i = 0; i < 10_000; i += 100) {
      put(numbered("k" + i + "-", 100));
    }
    List<Integer> sizes = new ArrayList<>();
    try (WinnerBatches batches = batches()) {
      while (batches.hasNext()) {
        sizes.add(batches.next().getRowCount());
      }
    }
    assertThat(sizes).containsExactly(4096, 4096, 1808);
  }

  @Test
  void batchesAreBoundedInBytes() {
    generation();
    Object[] wide = new Object[80];
    for (int i = 0; i < 40; i++) {
      wide[2 * i] = "k" + i;
      wide[2 * i + 1] = i;
    }
    append(rows(1 << 20, wide), false);
    long most = 0;
    int rows = 0;
    long before = allocator.getAllocatedMemory();
    try (WinnerBatches batches = batches()) {
      while (batches.hasNext()) {
        rows += batches.next().getRowCount();
        most = Math.max(most, allocator.getAllocatedMemory() - before);
      }
    }
    assertThat(rows).isEqualTo(40);
    assertThat(most).isBetween(1L, 48L << 20);
  }

  @Test
  void leavingInTheMiddleLeaksNothing() {
    generation();
    put(numbered("k", 500));
    put(numbered("l", 500));
    try (WinnerBatches batches = batches()) {
      assertThat(batches.hasNext()).isTrue();
    }
  }

  @Test
  void randomHistoriesGiveWhatAMapGives() {
    long seed = new Random().nextLong();
    Random random = new Random(seed);
    for (int round = 0; round < 30; round++) {
      int keys = 1 + random.nextInt(6000);
      int generations = 1 + random.nextInt(5);
      for (int g = 0; g < generations; g++) {
        generation();
        for (int frame = random.nextInt(8); frame > 0; frame--) {
          int size = random.nextInt(4) == 0 ? 900 + random.nextInt(1200) : random.nextInt(30);
          if (random.nextInt(4) == 0) {
            String[] gone = new String[size];
            for (int i = 0; i < size; i++) {
              gone[i] = "k" + random.nextInt(keys);
            }
            delete(gone);
          } else {
            Object[] cells = new Object[2 * size];
            int from = random.nextInt(keys);
            boolean dense = random.nextBoolean();
            for (int i = 0; i < size; i++) {
              cells[2 * i] = "k" + (dense ? from + i : random.nextInt(keys));
              cells[2 * i + 1] = random.nextInt();
            }
            put(cells);
          }
        }
      }
      assertThat(winners()).as("seed %d, round %d", seed, round).isEqualTo(model);
      memtables.forEach(memtable -> memtable.generation().release());
      memtables.clear();
      model.clear();
    }
  }

  private Map<String, Integer> winners() {
    Map<String, Integer> seen = new HashMap<>();
    try (WinnerBatches batches = batches()) {
      while (batches.hasNext()) {
        VectorSchemaRoot batch = batches.next();
        assertThat(batch.getRowCount()).isPositive();
        VarCharVector ids = (VarCharVector) batch.getVector("id");
        IntVector numbers = (IntVector) batch.getVector("n");
        LargeVarCharVector texts = (LargeVarCharVector) batch.getVector("text");
        for (int row = 0; row < batch.getRowCount(); row++) {
          String id = new String(ids.get(row), StandardCharsets.UTF_8);
          assertThat(new String(texts.get(row), StandardCharsets.UTF_8)).isEqualTo(id);
          assertThat(seen.put(id, numbers.get(row))).as("%s comes twice", id).isNull();
        }
      }
    }
    return seen;
  }

  private WinnerBatches batches() {
    return new WinnerBatches(
        memtables.stream().map(Memtable::generation).toList(), SCHEMA, allocator);
  }

  private void generation() {
    memtables.add(Memtable.open(memtables.size() + 1, lsn, bytes -> {}));
  }

  private void append(VectorSchemaRoot root, boolean tombstones) {
    memtables.getLast().append(++lsn, root, tombstones);
  }

  private void put(Object... keysAndNumbers) {
    append(rows(0, keysAndNumbers), false);
    for (int i = 0; i < keysAndNumbers.length; i += 2) {
      model.put((String) keysAndNumbers[i], (Integer) keysAndNumbers[i + 1]);
    }
  }

  private void delete(String... keys) {
    VarCharVector ids = new VarCharVector("id", allocator);
    for (int row = 0; row < keys.length; row++) {
      ids.setSafe(row, keys[row].getBytes(StandardCharsets.UTF_8));
      model.remove(keys[row]);
    }
    VectorSchemaRoot root = VectorSchemaRoot.of(ids);
    root.setRowCount(keys.length);
    append(root, true);
  }

  private static Object[] numbered(String prefix, int count) {
    Object[] cells = new Object[2 * count];
    for (int i = 0; i < count; i++) {
      cells[2 * i] = prefix + i;
      cells[2 * i + 1] = i;
    }
    return cells;
  }

  private VectorSchemaRoot rows(int textBytes, Object... keysAndNumbers) {
    VectorSchemaRoot root = VectorSchemaRoot.create(SCHEMA, allocator);
    VarCharVector ids = (VarCharVector) root.getVector("id");
    IntVector numbers = (IntVector) root.getVector("n");
    LargeVarCharVector texts = (LargeVarCharVector) root.getVector("text");
    int count = keysAndNumbers.length / 2;
    for (int row = 0; row < count; row++) {
      byte[] id = ((String) keysAndNumbers[2 * row]).getBytes(StandardCharsets.UTF_8);
      ids.setSafe(row, id);
      numbers.setSafe(row, (Integer) keysAndNumbers[2 * row + 1]);
      texts.setSafe(row, textBytes == 0 ? id : new byte[textBytes]);
    }
    root.setRowCount(count);
    return root;
  }
}
