package io.contextstore.service;

import io.contextstore.api.ListQuery;
import io.contextstore.api.NewStore;
import io.contextstore.api.RowKey;
import io.contextstore.api.RowStream;
import io.contextstore.api.StoreName;
import io.contextstore.api.schema.SchemaJson;
import io.contextstore.config.Settings;
import io.contextstore.maintenance.Coordinator;
import io.contextstore.metrics.EngineMetrics;
import jakarta.json.Json;
import jakarta.json.JsonArray;
import jakarta.json.JsonObject;
import jakarta.json.JsonReader;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.StringReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** An engine without a server: the same parts, with plain threads. Closing it ends all of them. */
final class TestEngine implements AutoCloseable {
  final CountingMetrics metrics = new CountingMetrics();
  final Engine engine;
  final GenericStoreService stores;
  private final ExecutorService writers =
      new ThreadPoolExecutor(0, 64, 10, TimeUnit.SECONDS, new SynchronousQueue<>());
  private final ExecutorService maintenance = Executors.newFixedThreadPool(2);
  private final ExecutorService disposer = Executors.newFixedThreadPool(2);
  private final ScheduledExecutorService timer = Executors.newScheduledThreadPool(1);

  private TestEngine(Settings settings) {
    engine =
        Engine.open(
            settings,
            new Coordinator(),
            new EngineThreads(writers, maintenance, disposer, timer),
            metrics);
    stores = new GenericStoreService(engine);
  }

  /** Opens on {@code data}, without any maintenance of its own accord. */
  static TestEngine open(Path data) {
    return new TestEngine(settings(data));
  }

  static TestEngine open(Settings settings) {
    return new TestEngine(settings);
  }

  static Settings settings(Path data) {
    return new Settings(
        data,
        Duration.ZERO,
        Duration.ZERO,
        0,
        8,
        1L << 30,
        Duration.ofSeconds(60),
        Duration.ofSeconds(30),
        512L << 20,
        new Settings.FilterBounds(8192, 64, 32),
        // Small tables get an index as well, and it is brought up to date often.
        new Settings.IndexBounds(100, 1, 50));
  }

  void create(String name, String schema) {
    try (JsonReader reader = Json.createReader(new StringReader(schema))) {
      stores.create(
          new NewStore(
              new StoreName(name), SchemaJson.parse(reader.readObject()), Map.of(), false));
    }
  }

  long append(String name, String json) {
    return stores
        .append(
            new StoreName(name), new ByteArrayInputStream(json.getBytes(StandardCharsets.UTF_8)))
        .count();
  }

  JsonObject get(String name, String id) {
    return parse(stores.get(new StoreName(name), RowKey.of(id), List.of()));
  }

  JsonArray getMany(String name, List<String> ids) {
    return parse(
            stores.getMany(new StoreName(name), ids.stream().map(RowKey::of).toList(), List.of()))
        .getJsonArray("rows");
  }

  JsonArray list(String name) {
    return query(name, Optional.empty(), OptionalLong.empty(), OptionalLong.empty());
  }

  JsonArray filter(String name, String filter) {
    return query(name, Optional.of(filter), OptionalLong.empty(), OptionalLong.empty());
  }

  JsonArray page(String name, long offset, long limit) {
    return query(name, Optional.empty(), OptionalLong.of(limit), OptionalLong.of(offset));
  }

  JsonArray query(String name, Optional<String> filter, OptionalLong limit, OptionalLong offset) {
    return parse(stores.rows(new StoreName(name), new ListQuery(List.of(), filter, limit, offset)))
        .getJsonArray("rows");
  }

  private static JsonObject parse(RowStream rows) {
    try (rows) {
      ByteArrayOutputStream out = new ByteArrayOutputStream();
      rows.writeTo(out);
      try (JsonReader reader =
          Json.createReader(new StringReader(out.toString(StandardCharsets.UTF_8)))) {
        return reader.readObject();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  void flush(String name) {
    stores.flush(new StoreName(name));
  }

  int merge(String name) {
    return stores.mergeWal(new StoreName(name));
  }

  @Override
  public void close() {
    engine.close();
    writers.shutdown();
    maintenance.shutdown();
    disposer.shutdown();
    timer.shutdown();
  }

  /** Counts in memory. */
  static final class CountingMetrics implements EngineMetrics {
    final Map<String, Integer> counts = new java.util.concurrent.ConcurrentHashMap<>();

    @Override
    public void flush(String kind, FlushResult result) {
      counts.merge("flush " + result, 1, Integer::sum);
    }

    @Override
    public void cleanup(String kind, CleanupResult result) {
      counts.merge("cleanup " + result, 1, Integer::sum);
    }

    @Override
    public void reclaimed(String kind, int generations) {
      counts.merge("reclaimed", generations, Integer::sum);
    }

    @Override
    public void mergePhase(String phase, Duration duration) {
      counts.merge("phase " + phase, 1, Integer::sum);
    }

    @Override
    public void mergeError(String phase) {
      counts.merge("error " + phase, 1, Integer::sum);
    }

    @Override
    public void index(String kind, IndexResult result) {
      counts.merge("index " + result, 1, Integer::sum);
    }
  }
}
