package io.contextstore.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.contextstore.api.StoreName;
import io.contextstore.api.error.NotFoundException;
import io.contextstore.api.error.OverloadedException;
import io.contextstore.api.error.StoreException;
import io.contextstore.config.Settings;
import jakarta.json.JsonArray;
import jakarta.json.JsonObject;
import jakarta.json.JsonValue;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Appends, reads, seals, merges and drops at the same time. */
class EngineStormTest {
  private static final String SCHEMA =
      """
      {"columns": [["id", {"type": "string", "nullable": false}],
                   ["n", {"type": "int64"}], ["t", {"type": "string"}]]}
      """;
  private static final int WRITERS = 3;
  private static final int KEYS = 40;
  private static final Duration STORM = Duration.ofSeconds(4);

  @TempDir Path data;

  /** The newest value of each key that was acknowledged, and the newest that was sent. */
  private final AtomicLongArray acknowledged = new AtomicLongArray(WRITERS * KEYS);

  private final AtomicLongArray sent = new AtomicLongArray(WRITERS * KEYS);

  @Test
  void readersSeeEachKeyOnceAndEveryAcknowledgedRowWhileEverythingIsSealedAndMerged()
      throws Exception {
    long seed = new Random().nextLong();
    System.out.println("EngineStormTest seed " + seed);
    long end = System.nanoTime() + STORM.toNanos();
    try (TestEngine engine = TestEngine.open(settings(2, 512L << 20));
        ExecutorService threads = Executors.newCachedThreadPool()) {
      engine.create("s", SCHEMA);
      List<Future<?>> all = new ArrayList<>();
      for (int w = 0; w < WRITERS; w++) {
        int writer = w;
        all.add(threads.submit(until(end, new Random(seed + w), r -> write(engine, writer, r))));
      }
      all.add(threads.submit(until(end, new Random(seed + 10), r -> readAll(engine))));
      all.add(threads.submit(until(end, new Random(seed + 11), r -> readSome(engine, r))));
      all.add(threads.submit(until(end, new Random(seed + 12), r -> maintain(engine, r))));
      for (Future<?> one : all) {
        one.get(60, TimeUnit.SECONDS);
      }
      readAll(engine);
      assertThat(engine.metrics.counts).containsKey("cleanup MERGED");
      assertThat(engine.metrics.counts).doesNotContainKeys("cleanup FAILED", "flush FAILED");
    }
    try (TestEngine again = TestEngine.open(data)) {
      readAll(again);
    }
  }

  private interface Step {
    void run(Random random);
  }

  private static Callable<Integer> until(long end, Random random, Step step) {
    return () -> {
      int steps = 0;
      for (; System.nanoTime() < end; steps++) {
        step.run(random);
      }
      return steps;
    };
  }

  private void write(TestEngine engine, int writer, Random random) {
    Set<Integer> keys = new HashSet<>();
    for (int i = random.nextInt(5); i >= 0; i--) {
      keys.add(writer * KEYS + random.nextInt(KEYS));
    }
    StringBuilder json = new StringBuilder();
    for (int key : keys) {
      json.append(json.isEmpty() ? "{\"rows\":[" : ",")
          .append("{\"id\":\"k%d\",\"n\":%d}".formatted(key, sent.incrementAndGet(key)));
    }
    engine.append("s", json.append("]}").toString());
    keys.forEach(key -> acknowledged.set(key, sent.get(key)));
  }

  private void readAll(TestEngine engine) {
    long[] least = snapshot();
    check(engine.list("s"), least);
    least = snapshot();
    check(engine.page("s", 0, WRITERS * KEYS), least);
    least = snapshot();
    check(engine.filter("s", "n > 0"), least);
  }

  private void check(JsonArray rows, long[] least) {
    long[] seen = new long[least.length];
    for (JsonValue value : rows) {
      JsonObject row = value.asJsonObject();
      int key = Integer.parseInt(row.getString("id").substring(1));
      long n = row.getJsonNumber("n").longValueExact();
      assertThat(seen[key]).as("k%d comes twice", key).isZero();
      assertThat(n).as("k%d", key).isBetween(least[key], sent.get(key));
      seen[key] = n;
    }
    for (int key = 0; key < least.length; key++) {
      if (least[key] > 0) {
        assertThat(seen[key]).as("k%d is missing", key).isPositive();
      }
    }
  }

  private long[] snapshot() {
    long[] values = new long[acknowledged.length()];
    for (int i = 0; i < values.length; i++) {
      values[i] = acknowledged.get(i);
    }
    return values;
  }

  private void readSome(TestEngine engine, Random random) {
    int key = random.nextInt(WRITERS * KEYS);
    long least = acknowledged.get(key);
    try {
      long n = engine.get("s", "k" + key).getJsonNumber("n").longValueExact();
      assertThat(n).as("k%d", key).isBetween(Math.max(1, least), sent.get(key));
    } catch (NotFoundException e) {
      assertThat(least).as("k%d was acknowledged", key).isZero();
    }
  }

  private static void maintain(TestEngine engine, Random random) {
    if (random.nextInt(4) == 0) {
      engine.merge("s");
    } else {
      engine.flush("s");
    }
  }

  @Test
  void withMemoryFullAppendsAreRefusedAndGoOnWhenMaintenanceHasMadeRoom() {
    try (TestEngine engine = TestEngine.open(settings(0, 256 << 10))) {
      engine.create("s", SCHEMA);
      int refused = 0;
      int next = 0;
      long end = System.nanoTime() + Duration.ofSeconds(60).toNanos();
      // Ten times what fits, so that it has to be relieved again and again.
      for (long bytes = 0; bytes < 10 * (256 << 10); ) {
        assertThat(System.nanoTime()).as("relief comes").isLessThan(end);
        String text = "x".repeat(2000);
        try {
          engine.append(
              "s", "{\"rows\":[{\"id\":\"k%d\",\"n\":1,\"t\":\"%s\"}]}".formatted(next, text));
          next++;
          bytes += text.length();
        } catch (OverloadedException e) {
          assertThat(e.outcomeUnknown()).isFalse();
          assertThat(e).hasMessageContaining("nothing was written");
          int missing = next;
          assertThatThrownBy(() -> engine.get("s", "k" + missing))
              .isInstanceOf(NotFoundException.class);
          refused++;
          Thread.onSpinWait();
        }
      }
      assertThat(engine.list("s")).hasSize(next);
      System.out.println("EngineStormTest refused " + refused + " of " + (next + refused));
    }
  }

  @Test
  void storesAreDroppedAndMadeAnewUnderAppendsReadsAndMerges() throws Exception {
    long seed = new Random().nextLong();
    System.out.println("EngineStormTest drop seed " + seed);
    long end = System.nanoTime() + STORM.toNanos();
    try (TestEngine engine = TestEngine.open(settings(1, 512L << 20));
        ExecutorService threads = Executors.newCachedThreadPool()) {
      engine.create("s", SCHEMA);
      List<Future<?>> all = new ArrayList<>();
      all.add(
          threads.submit(
              until(
                  end,
                  new Random(seed),
                  r -> tolerant(() -> engine.append("s", row(r.nextInt(20)))))));
      all.add(threads.submit(until(end, new Random(), r -> tolerant(() -> engine.list("s")))));
      all.add(
          threads.submit(until(end, new Random(seed), r -> tolerant(() -> maintain(engine, r)))));
      int drops = 0;
      while (System.nanoTime() < end) {
        engine.stores.drop(new StoreName("s"));
        engine.create("s", SCHEMA);
        assertThat(engine.list("s").size()).isLessThanOrEqualTo(20);
        drops++;
      }
      for (Future<?> one : all) {
        one.get(60, TimeUnit.SECONDS);
      }
      assertThat(drops).isPositive();
    }
    TestEngine.open(data).close();
    try (Stream<Path> folders = Files.list(data.resolve("stores"))) {
      assertThat(folders.filter(p -> p.toString().endsWith(".lance"))).hasSize(1);
    }
    try (Stream<Path> entries = Files.list(data.resolve("catalog"))) {
      assertThat(entries).hasSize(1);
    }
  }

  private static String row(int key) {
    return "{\"rows\":[{\"id\":\"k%d\",\"n\":%d}]}".formatted(key, key);
  }

  /** What a request may hear when its store is dropped under it. */
  private static void tolerant(Runnable call) {
    try {
      call.run();
    } catch (NotFoundException | OverloadedException expected) {
      assertThat(expected).isInstanceOf(StoreException.class);
    }
  }

  @Test
  void aStopWaitsForADownloadAndForARunningMerge() throws Exception {
    TestEngine engine = TestEngine.open(settings(1, 512L << 20));
    engine.create("s", SCHEMA);
    engine.append("s", row(1));
    var download =
        engine.stores.rows(
            new StoreName("s"),
            new io.contextstore.api.ListQuery(
                List.of(),
                Optional.empty(),
                java.util.OptionalLong.empty(),
                java.util.OptionalLong.empty()));
    engine.flush("s");
    CompletableFuture<Void> stop = CompletableFuture.runAsync(engine::close);
    while (!stoppedServing(engine)) {
      Thread.onSpinWait();
    }
    assertThat(stop).isNotDone();
    var out = new ByteArrayOutputStream();
    download.writeTo(out);
    download.close();
    stop.get(60, TimeUnit.SECONDS);
    assertThat(out.toString(StandardCharsets.UTF_8)).contains("k1");
  }

  private static boolean stoppedServing(TestEngine engine) {
    try {
      engine.get("s", "k1");
      return false;
    } catch (OverloadedException e) {
      return true;
    }
  }

  private Settings settings(int mergeAfter, long memory) {
    return new Settings(
        data,
        Duration.ofMillis(200),
        Duration.ofMillis(500),
        mergeAfter,
        8,
        1L << 30,
        Duration.ofSeconds(60),
        Duration.ofSeconds(30),
        memory,
        new Settings.FilterBounds(8192, 64, 32),
        new Settings.IndexBounds(50, 2, 10));
  }
}
