package io.contextstore.table;

import io.contextstore.api.RowKey;
import io.contextstore.filter.KeyFilters;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Random;
import java.util.Set;
import java.util.function.Supplier;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.VarCharVector;
import org.apache.arrow.vector.VectorSchemaRoot;

/**
 * Gets and merges on a table of a million rows, before and after its index, and the index itself.
 * Not a test; run it by hand:
 *
 * <pre>java -cp (test class path) io.contextstore.table.IndexBenchmark (folder)</pre>
 */
public final class IndexBenchmark {
  private static final int ROWS = 1_000_000;
  private static final int FRAGMENTS = 10;
  private static final int BATCH = 10_000;
  private static final long EPOCH = 1;

  private final Random random = new Random(1);
  private final BaseTables tables;
  private final TableLocation location;
  private final RootAllocator root;
  private long watermark;

  private IndexBenchmark(BaseTables tables, TableLocation location, RootAllocator root) {
    this.tables = tables;
    this.location = location;
    this.root = root;
  }

  /** Prints a line for each measurement. */
  public static void main(String[] arguments) throws Exception {
    Path folder = Files.createTempDirectory(Path.of(arguments[0]), "index-benchmark");
    try (RootAllocator root = new RootAllocator();
        TableEngine engine =
            TableEngine.start(
                TableEngineSettings.withCaches(256L << 20, 256L << 20), root, () -> {})) {
      TableLocation location = TableLocation.local(folder.resolve("t.lance"));
      new IndexBenchmark(engine.tables(), location, root).run();
    }
  }

  private void run() {
    tables.create(location, TableFixture.SCHEMA, EPOCH);
    tables.takeOwnership(location, EPOCH, SyncedVersion.NONE).reader().close();
    for (int i = 0; i < FRAGMENTS; i++) {
      fill(i * (ROWS / FRAGMENTS), ROWS / FRAGMENTS);
    }
    gets("no index", 40);
    merges("no index, scan", 100, false);
    time("index made", this::upkeep);
    gets("index", 300);
    for (int round = 0; round < 2; round++) {
      for (int keys : new int[] {20, 100, 1000}) {
        merges("index, scan", keys, false);
        merges("index, look-up", keys, true);
      }
      try (TableReader reader = tables.openReader(location)) {
        System.out.println(reader.indexState());
      }
      gets("index, some fragments outside", 100);
      time("index renewed", this::upkeep);
    }
    long[] opens = new long[20];
    for (int i = 0; i < opens.length; i++) {
      opens[i] = nanos(() -> tables.openReader(location)::close);
    }
    print("open a reader", opens);
  }

  private Object upkeep() {
    return tables.upkeepIndex(location, EPOCH, watermark, new IndexLimits(1, 0, 0));
  }

  private void fill(int from, int count) {
    try (MergePass pass = tables.beginMerge(location, EPOCH, watermark)) {
      pass.writeRows(TableFixture.SCHEMA, batches(from, count));
      pass.commit(++watermark);
    }
  }

  private Iterator<VectorSchemaRoot> batches(int from, int count) {
    return new Iterator<>() {
      private int next;
      private VectorSchemaRoot present = VectorSchemaRoot.of();

      @Override
      public boolean hasNext() {
        if (next >= count) {
          present.close();
        }
        return next < count;
      }

      @Override
      public VectorSchemaRoot next() {
        if (next >= count) {
          throw new NoSuchElementException();
        }
        present.close();
        Map<String, Integer> rows = new HashMap<>();
        for (int i = 0; i < BATCH; i++) {
          rows.put(key(from + next++), i);
        }
        present = TableFixture.batch(root, rows);
        return present;
      }
    };
  }

  /** Keys that are spread: neighbours in the order of keys were not written together. */
  private static String key(int n) {
    return "%08x-%07d".formatted(n * 0x9E3779B9, n);
  }

  private void gets(String what, int times) {
    try (TableReader reader = tables.openReader(location)) {
      for (boolean hit : new boolean[] {true, false}) {
        long[] took = new long[times];
        for (int i = 0; i < times; i++) {
          String key = key(random.nextInt(ROWS)) + (hit ? "" : "x");
          took[i] = nanos(() -> () -> get(reader, key));
        }
        print("get " + (hit ? "hit" : "miss") + ", " + what, took);
      }
    }
  }

  private static void get(TableReader reader, String key) {
    ScanRequest request =
        ScanRequest.of(List.of("id", "n", "big", "tag"))
            .matching(KeyFilters.eq(RowKey.of(key)))
            .limitedTo(1);
    try (TableScan scan = reader.scan(request)) {
      scan.next();
    }
  }

  private void merges(String what, int keys, boolean lookUp) {
    long[] finding = new long[5];
    long[] whole = new long[finding.length];
    for (int i = 0; i < finding.length; i++) {
      Map<String, Integer> rows = new HashMap<>();
      while (rows.size() < keys) {
        rows.put(key(random.nextInt(ROWS)), 1);
      }
      long start = System.nanoTime();
      try (MergePass pass = tables.beginMerge(location, EPOCH, watermark);
          VectorSchemaRoot batch = TableFixture.batch(root, rows)) {
        long begun = System.nanoTime();
        Keys wanted = new Keys(rows.keySet());
        FoundRows found =
            lookUp ? pass.lookUp(wanted).orElseThrow() : pass.findRows((KeyMatcher) wanted);
        finding[i] = System.nanoTime() - begun;
        if (found.count() != keys) {
          throw new IllegalStateException("found " + found.count() + " of " + keys);
        }
        pass.deleteRows(found);
        pass.writeRows(TableFixture.SCHEMA, List.of(batch).iterator());
        pass.commit(++watermark);
      }
      whole[i] = System.nanoTime() - start;
    }
    print("find " + keys + " keys, " + what, finding);
    print("merge of " + keys + " keys, " + what, whole);
  }

  private record Keys(Set<String> keys) implements MergeKeys {
    @Override
    public long count() {
      return keys.size();
    }

    @Override
    public boolean matches(VarCharVector ids, int row) {
      return keys.contains(new String(ids.get(row), StandardCharsets.UTF_8));
    }

    @Override
    public Iterator<RowKey> iterator() {
      List<RowKey> all = new ArrayList<>();
      keys.forEach(key -> all.add(RowKey.of(key)));
      return all.iterator();
    }
  }

  private static long nanos(Supplier<Runnable> work) {
    long start = System.nanoTime();
    work.get().run();
    return System.nanoTime() - start;
  }

  private static void time(String what, Supplier<Object> work) {
    long start = System.nanoTime();
    Object result = work.get();
    System.out.printf("%-45s %8.1f ms  %s%n", what, (System.nanoTime() - start) / 1e6, result);
  }

  private static void print(String what, long[] took) {
    Arrays.sort(took);
    System.out.printf(
        "%-45s p50 %8.1f ms  min %8.1f  max %8.1f%n",
        what, took[took.length / 2] / 1e6, took[0] / 1e6, took[took.length - 1] / 1e6);
  }
}
