package io.contextstore.service;

import io.contextstore.api.GenericStores;
import io.contextstore.api.ServerStatus;
import io.contextstore.api.error.StartupException;
import io.contextstore.config.Settings;
import io.contextstore.maintenance.Coordinator;
import io.contextstore.metrics.MicroProfileMetrics;
import jakarta.annotation.PreDestroy;
import jakarta.annotation.Resource;
import jakarta.enterprise.concurrent.ManagedScheduledExecutorService;
import jakarta.enterprise.concurrent.ManagedThreadFactory;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.context.Initialized;
import jakarta.enterprise.event.Observes;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Inject;
import java.lang.System.Logger.Level;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.eclipse.microprofile.config.Config;
import org.eclipse.microprofile.metrics.MetricRegistry;
import org.jspecify.annotations.Nullable;

/**
 * Starts the engine with the application, so that a data folder that cannot be used fails the
 * deployment, and stops it with it. Gives the HTTP layer its beans.
 */
@ApplicationScoped
public class EngineLifecycle implements ServerStatus {
  private static final System.Logger LOGGER = System.getLogger(EngineLifecycle.class.getName());

  private static final int MOST_BUSY_WRITERS = 512;
  private static final int DISPOSERS = 2;
  private static final int MOST_QUEUED_PASSES = 10_000;

  private final Coordinator coordinator;
  private final Config config;
  private final MetricRegistry registry;

  @Resource private @Nullable ManagedThreadFactory threads;
  @Resource private @Nullable ManagedScheduledExecutorService timer;

  private volatile @Nullable Running running;

  private record Running(Engine engine, EngineThreads threads) {}

  /** For the container's proxy. */
  @SuppressWarnings("NullAway") // Never called on a proxy's own fields.
  protected EngineLifecycle() {
    this(null, null, null);
  }

  /** For the container. */
  @Inject
  public EngineLifecycle(Coordinator coordinator, Config config, MetricRegistry registry) {
    this.coordinator = coordinator;
    this.config = config;
    this.registry = registry;
  }

  void start(@Observes @Initialized(ApplicationScoped.class) Object event) {
    if (running != null) {
      return;
    }
    try {
      running = open();
    } catch (StartupException e) {
      // The container reports what an observer throws as an exception of its own without a cause.
      LOGGER.log(Level.ERROR, "The engine did not start.", e);
      throw e;
    }
  }

  private Running open() {
    Settings settings = Settings.load(config);
    EngineThreads pools = pools(injected(threads), injected(timer));
    try {
      return new Running(
          Engine.open(settings, coordinator, pools, new MicroProfileMetrics(registry)), pools);
    } catch (RuntimeException | Error e) {
      shutDown(pools);
      throw e;
    }
  }

  private static <T> T injected(@Nullable T resource) {
    if (resource == null) {
      throw new IllegalStateException("the container has not injected its concurrency resources");
    }
    return resource;
  }

  private static EngineThreads pools(ThreadFactory threads, ManagedScheduledExecutorService timer) {
    int cores = Runtime.getRuntime().availableProcessors();
    int passes = Math.min(4, Math.max(2, cores));
    return new EngineThreads(
        new ThreadPoolExecutor(
            0, MOST_BUSY_WRITERS, 30, TimeUnit.SECONDS, new SynchronousQueue<>(), threads),
        pool(passes, threads),
        pool(DISPOSERS, threads),
        timer);
  }

  private static ExecutorService pool(int size, ThreadFactory threads) {
    ThreadPoolExecutor pool =
        new ThreadPoolExecutor(
            size,
            size,
            30,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(MOST_QUEUED_PASSES),
            threads);
    pool.allowCoreThreadTimeOut(true);
    return pool;
  }

  @PreDestroy
  void stop() {
    Running now = running;
    running = null;
    if (now != null) {
      try {
        now.engine().close();
      } finally {
        shutDown(now.threads());
      }
    }
  }

  // The timer is the container's.
  private static void shutDown(EngineThreads pools) {
    pools.writers().shutdown();
    pools.maintenance().shutdown();
    pools.disposer().shutdown();
  }

  /** The generic stores, for injection. */
  @Produces
  @ApplicationScoped
  public GenericStores genericStores() {
    Running now = running;
    if (now == null) {
      throw new IllegalStateException("the engine is not running");
    }
    return new GenericStoreService(now.engine());
  }

  @Override
  public boolean started() {
    return running != null;
  }

  @Override
  public Optional<String> notReadyReason() {
    return running == null ? Optional.of("the engine is not running") : Optional.empty();
  }
}
