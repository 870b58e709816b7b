package io.contextstore.service;

import io.contextstore.config.Settings;
import io.contextstore.filter.FilterCompiler;
import io.contextstore.filter.FilterLimits;
import io.contextstore.generation.MemoryBudget;
import io.contextstore.guard.MemoryOnly;
import io.contextstore.maintenance.Coordinator;
import io.contextstore.maintenance.IndexWriter;
import io.contextstore.maintenance.Maintainer;
import io.contextstore.maintenance.MaintenancePolicy;
import io.contextstore.maintenance.MergeLimits;
import io.contextstore.merge.MergeWriter;
import io.contextstore.metrics.EngineMetrics;
import io.contextstore.read.FilterTables;
import io.contextstore.read.StoreReader;
import io.contextstore.table.IndexLimits;
import io.contextstore.table.TableEngine;
import io.contextstore.table.TableEngineSettings;
import io.contextstore.view.Catalog;
import io.contextstore.view.CatalogEntry;
import io.contextstore.view.DataFolder;
import io.contextstore.view.Ownership;
import io.contextstore.view.StoreEnvironment;
import io.contextstore.view.StoreRegistry;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.arrow.memory.AllocationListener;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;

/**
 * Everything that one process has once: the data folder, the native tables, memory budget, catalog,
 * registry and maintainer. Opened once; the parts are safe for use by many threads.
 */
public final class Engine implements AutoCloseable {
  private static final Logger LOGGER = System.getLogger(Engine.class.getName());
  private static final long RETRY_MILLIS = 1000;
  private static final long INDEX_MILLIS = 60_000;

  private final Settings settings;
  private final Coordinator coordinator;
  private final DataFolder folder;
  private final Catalog catalog;
  private final BufferAllocator root;
  private final BufferAllocator rows;
  private final TableEngine tables;
  private final StoreRegistry registry;
  private final StoreLifecycle lifecycle;
  private final StoreReader reader;
  private final Maintainer maintainer;
  private final FilterCompiler filters;
  private final EngineThreads threads;
  private final List<ScheduledFuture<?>> ticks = new ArrayList<>();

  private Engine(
      Settings settings,
      Coordinator coordinator,
      EngineThreads threads,
      EngineMetrics metrics,
      DataFolder folder) {
    this.settings = settings;
    this.coordinator = coordinator;
    this.threads = threads;
    this.folder = folder;
    catalog = new Catalog(folder);
    List<CatalogEntry> entries = catalog.load();
    collectDebris(entries);
    // Exact sizes: the default policy rounds each batch up to a power of two.
    root = new RootAllocator(AllocationListener.NOOP, Long.MAX_VALUE, size -> size);
    // Requests that are being read are bounded beside what is kept, so that neither starves.
    rows = root.newChildAllocator("rows", 0, 2 * settings.memoryMaxBytes());
    tables =
        TableEngine.start(
            TableEngineSettings.withCaches(
                settings.memoryMaxBytes() / 4, settings.memoryMaxBytes() / 4),
            root,
            MemoryOnly::checkIoAllowed);
    MemoryBudget budget = new MemoryBudget(settings.memoryMaxBytes());
    Ownership ownership = new Ownership(tables.tables(), folder);
    maintainer =
        new Maintainer(
            coordinator,
            new MergeWriter(tables.tables(), root, ownership),
            new IndexWriter(tables.tables(), ownership),
            new MaintenancePolicy(
                settings.flushInterval(),
                settings.cleanupInterval(),
                new MergeLimits(
                    settings.mergeAfterGenerations(),
                    settings.mergeMaxGenerations(),
                    settings.mergeMaxBytes()),
                new IndexLimits(
                    settings.indexLimits().minRows(),
                    settings.indexLimits().maxUnindexedFragments(),
                    settings.indexLimits().maxUnindexedPercent())),
            threads.maintenance(),
            threads.timer(),
            metrics);
    StoreEnvironment environment =
        new StoreEnvironment(
            tables.tables(),
            ownership,
            folder,
            rows,
            budget,
            threads.writers(),
            threads.timer(),
            threads.disposer(),
            settings.requestDeadline(),
            maintainer);
    registry = new StoreRegistry(environment, entries);
    lifecycle = new StoreLifecycle(coordinator, registry, catalog, environment);
    maintainer.watch(registry::openStores);
    reader =
        new StoreReader(
            root,
            new FilterTables(tables, budget, settings.requestDeadline()),
            settings.requestDeadline());
    filters =
        new FilterCompiler(
            new FilterLimits(
                settings.filterLimits().maxBytes(),
                settings.filterLimits().maxOperators(),
                settings.filterLimits().maxDepth(),
                FilterLimits.DEFAULT.maxListItems()));
    schedule();
  }

  /**
   * Opens the engine on the settings' data folder.
   *
   * @throws io.contextstore.api.error.StartupException with one line that says what is wrong
   */
  public static Engine open(
      Settings settings, Coordinator coordinator, EngineThreads threads, EngineMetrics metrics) {
    DataFolder folder = DataFolder.open(settings.dataDir());
    try {
      return new Engine(settings, coordinator, threads, metrics, folder);
    } catch (RuntimeException | Error e) {
      try {
        folder.close();
      } catch (IOException closing) {
        e.addSuppressed(closing);
      }
      throw e;
    }
  }

  private void collectDebris(List<CatalogEntry> entries) {
    try {
      catalog.collectDebris(entries);
    } catch (IOException e) {
      // They are in nobody's way; the next start tries again.
      LOGGER.log(Level.WARNING, "Folders of dropped stores could not be removed", e);
    }
  }

  private void schedule() {
    ticks.add(
        threads
            .timer()
            .scheduleWithFixedDelay(
                () -> tick("retry", maintainer::retryTick),
                RETRY_MILLIS,
                RETRY_MILLIS,
                TimeUnit.MILLISECONDS));
    ticks.add(
        threads
            .timer()
            .scheduleWithFixedDelay(
                () -> tick("index", maintainer::indexTick),
                INDEX_MILLIS,
                INDEX_MILLIS,
                TimeUnit.MILLISECONDS));
    long flush = settings.flushInterval().toMillis();
    if (flush > 0) {
      ticks.add(
          threads
              .timer()
              .scheduleWithFixedDelay(
                  () -> tick("flush", maintainer::flushTick), flush, flush, TimeUnit.MILLISECONDS));
    }
    long cleanup = settings.cleanupInterval().toMillis();
    if (cleanup > 0) {
      ticks.add(
          threads
              .timer()
              .scheduleWithFixedDelay(
                  () -> tick("cleanup", maintainer::cleanupTick),
                  cleanup,
                  cleanup,
                  TimeUnit.MILLISECONDS));
    }
  }

  // A tick that throws would be the last one.
  private static void tick(String name, Runnable work) {
    try {
      work.run();
    } catch (RuntimeException e) {
      LOGGER.log(Level.WARNING, "The " + name + " tick failed", e);
    }
  }

  Settings settings() {
    return settings;
  }

  Coordinator coordinator() {
    return coordinator;
  }

  StoreRegistry registry() {
    return registry;
  }

  StoreLifecycle lifecycle() {
    return lifecycle;
  }

  StoreReader reader() {
    return reader;
  }

  Maintainer maintainer() {
    return maintainer;
  }

  FilterCompiler filters() {
    return filters;
  }

  BufferAllocator rows() {
    return rows;
  }

  DataFolder folder() {
    return folder;
  }

  /**
   * Closes all stores and gives the data folder free. Everything acknowledged is durable already,
   * so nothing has to be saved; readers get until the shutdown deadline to finish.
   */
  @Override
  public void close() {
    ticks.forEach(tick -> tick.cancel(false));
    boolean allClosed = awaitAll(registry.close(threads.disposer()));
    try {
      if (allClosed) {
        tables.close();
        rows.close();
        root.close();
      }
    } finally {
      try {
        folder.close();
      } catch (IOException e) {
        LOGGER.log(Level.WARNING, "The lock of the data folder was not given free", e);
      }
    }
  }

  private boolean awaitAll(CompletableFuture<Void> closing) {
    try {
      closing.get(settings.shutdownDeadline().toMillis(), TimeUnit.MILLISECONDS);
      return true;
    } catch (TimeoutException e) {
      LOGGER.log(
          Level.WARNING, "Readers still hold stores at the shutdown deadline; memory stays", e);
    } catch (ExecutionException e) {
      LOGGER.log(Level.WARNING, "A store was not closed", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return false;
  }
}
