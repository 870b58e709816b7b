package io.contextstore.view;

import static org.assertj.core.api.Assertions.assertThat;

import io.contextstore.api.NewStore;
import io.contextstore.api.StoreName;
import io.contextstore.api.schema.SchemaJson;
import io.contextstore.generation.Generation;
import io.contextstore.generation.MemoryBudget;
import io.contextstore.guard.MemoryOnly;
import io.contextstore.log.SealOutcome;
import io.contextstore.merge.MergeOutcome;
import io.contextstore.merge.MergePlan;
import io.contextstore.merge.MergeWriter;
import io.contextstore.schema.ArrowSchemas;
import io.contextstore.table.ScanRequest;
import io.contextstore.table.TableEngine;
import io.contextstore.table.TableEngineSettings;
import io.contextstore.table.TableReader;
import io.contextstore.table.TableScan;
import jakarta.json.Json;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.BigIntVector;
import org.apache.arrow.vector.VarCharVector;
import org.apache.arrow.vector.VectorSchemaRoot;

/**
 * Real stores on a data folder without the engine around them: the test does the maintenance.
 * Closing checks that no memory is left, in the allocators and in the budget.
 */
public final class StoreFixture implements AutoCloseable {
  private static final String SCHEMA =
      """
      {"columns": [["id", {"type": "string", "nullable": false}],
                   ["n", {"type": "int64"}], ["t", {"type": "string"}]]}
      """;

  public final RootAllocator root = new RootAllocator();
  public final BufferAllocator rows = root.newChildAllocator("rows", 0, 1L << 30);
  public final TableEngine tables;
  public final DataFolder folder;
  public final Catalog catalog;
  public final MemoryBudget budget;
  public final Ownership ownership;
  public final StoreEnvironment environment;
  public final StoreRegistry registry;

  /** Told of every seal, in order. */
  public final List<Store> sealed = new CopyOnWriteArrayList<>();

  /** Stands still, unless a test moves it. */
  public final AtomicLong clock = new AtomicLong();

  /** How often a log writer was given a thread. */
  public final AtomicInteger writerRuns = new AtomicInteger();

  /** How often something was handed to the disposer by a thread that may touch memory only. */
  public final AtomicInteger disposedUnderTheLock = new AtomicInteger();

  public final AtomicInteger memoryLow = new AtomicInteger();
  private final ExecutorService writers = Executors.newCachedThreadPool();
  private final ExecutorService disposer = Executors.newSingleThreadExecutor();
  private final ScheduledExecutorService timer = Executors.newScheduledThreadPool(1);

  public StoreFixture(Path data) {
    this(data, 256L << 20);
  }

  public StoreFixture(Path data, long budgetBytes) {
    folder = DataFolder.open(data);
    catalog = new Catalog(folder);
    budget = new MemoryBudget(budgetBytes);
    tables =
        TableEngine.start(
            TableEngineSettings.withCaches(8 << 20, 8 << 20), root, MemoryOnly::checkIoAllowed);
    ownership = new Ownership(tables.tables(), folder);
    environment =
        new StoreEnvironment(
            tables.tables(),
            ownership,
            folder,
            rows,
            budget,
            this::runWriter,
            timer,
            this::runDisposer,
            Duration.ofSeconds(30),
            new StoreEvents() {
              @Override
              public void sealed(Store store) {
                sealed.add(store);
              }

              @Override
              public void memoryLow() {
                memoryLow.incrementAndGet();
              }
            });
    registry = new StoreRegistry(environment, catalog.load(), clock::get);
  }

  private void runWriter(Runnable run) {
    writerRuns.incrementAndGet();
    writers.execute(run);
  }

  private void runDisposer(Runnable task) {
    if (!MemoryOnly.ioAllowed()) {
      disposedUnderTheLock.incrementAndGet();
    }
    disposer.execute(task);
  }

  public static NewStore newStore(String name) {
    return new NewStore(
        new StoreName(name),
        SchemaJson.parse(Json.createReader(new StringReader(SCHEMA)).readObject()),
        Map.of(),
        false);
  }

  public static CatalogEntry entry(String name) {
    return new CatalogEntry(
        StoreId.create(new StoreName(name), StoreKind.GENERIC),
        newStore(name).schema(),
        Map.of(),
        false,
        Instant.EPOCH);
  }

  /** Creates a store and opens it. */
  public Store create(String name) {
    CatalogEntry entry = entry(name);
    assertThat(registry.reserve(entry.id())).isTrue();
    try {
      registry.createFolders(entry);
      catalog.put(entry);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
    registry.publish(entry);
    return open(name);
  }

  public Store open(String name) {
    return registry.open(StoreKind.GENERIC, new StoreName(name)).orElseThrow();
  }

  /** A batch of {@code id, n} pairs. */
  public VectorSchemaRoot batch(Store store, Object... idsAndNumbers) {
    StringBuilder json = new StringBuilder("{\"rows\":[");
    for (int i = 0; i < idsAndNumbers.length; i += 2) {
      json.append(i == 0 ? "" : ",")
          .append("{\"id\":\"")
          .append(idsAndNumbers[i])
          .append("\",\"n\":")
          .append(idsAndNumbers[i + 1])
          .append(",\"t\":\"text of ")
          .append(idsAndNumbers[i])
          .append("\"}");
    }
    byte[] body = json.append("]}").toString().getBytes(StandardCharsets.UTF_8);
    try {
      return store.parser().parse(new ByteArrayInputStream(body), rows).root();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  public long append(Store store, Object... idsAndNumbers) {
    return store.append(batch(store, idsAndNumbers), false);
  }

  public long delete(Store store, String... keys) {
    VectorSchemaRoot batch = VectorSchemaRoot.create(ArrowSchemas.tombstones(), rows);
    VarCharVector ids = (VarCharVector) batch.getVector(0);
    for (int row = 0; row < keys.length; row++) {
      ids.setSafe(row, keys[row].getBytes(StandardCharsets.UTF_8));
    }
    batch.setRowCount(keys.length);
    return store.append(batch, true);
  }

  public SealOutcome seal(Store store) {
    return store.seal().toCompletableFuture().join();
  }

  /** Merges all that is sealed. */
  public void merge(Store store) {
    Pin pin = store.pin();
    List<Generation> pending = pin.view().sealed();
    if (pending.isEmpty()) {
      pin.close();
      return;
    }
    MergePlan plan =
        new MergePlan(store, (MaintenanceSlot.Claim) store.slot().tryClaim(), pin, pending);
    MergeOutcome outcome =
        new MergeWriter(tables.tables(), root, ownership).write(plan, (phase, took) -> {});
    MergeOutcome.Merged merged = (MergeOutcome.Merged) outcome;
    store.swapMerged(merged.base(), merged.watermark());
    plan.release();
  }

  /** The rows {@code id -> n} of the newest version of the base table. */
  public Map<String, Long> baseRows(Store store) {
    Map<String, Long> rows = new TreeMap<>();
    try (TableReader reader = tables.tables().openReader(ownership.location(store.id()));
        TableScan scan = reader.scan(ScanRequest.of(List.of("id", "n")))) {
      while (scan.next()) {
        VarCharVector ids = (VarCharVector) scan.root().getVector("id");
        BigIntVector numbers = (BigIntVector) scan.root().getVector("n");
        for (int row = 0; row < scan.root().getRowCount(); row++) {
          String id = new String(ids.get(row), StandardCharsets.UTF_8);
          assertThat(rows.put(id, numbers.get(row))).as("%s twice in the table", id).isNull();
        }
      }
    }
    return rows;
  }

  /** Returns when everything that was handed to the disposer so far is done. */
  public void settle() {
    try {
      // What a freed view frees in turn is a task behind it.
      for (int i = 0; i < 3; i++) {
        disposer.submit(() -> {}).get(30, TimeUnit.SECONDS);
      }
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  @Override
  public void close() {
    try {
      registry.close(disposer).get(30, TimeUnit.SECONDS);
      settle();
      tables.close();
      assertThat(budget.used()).as("bytes left in the budget").isZero();
      rows.close();
      root.close();
      folder.close();
    } catch (Exception e) {
      throw new AssertionError(e);
    } finally {
      writers.shutdown();
      disposer.shutdown();
      timer.shutdown();
    }
  }
}
