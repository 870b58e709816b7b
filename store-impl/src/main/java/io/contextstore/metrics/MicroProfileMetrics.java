package io.contextstore.metrics;

import java.time.Duration;
import java.util.Locale;
import org.eclipse.microprofile.metrics.MetricRegistry;
import org.eclipse.microprofile.metrics.Tag;

/**
 * {@link EngineMetrics} in the server's metric registry, under the reference's names where it has
 * one.
 */
public final class MicroProfileMetrics implements EngineMetrics {
  private final MetricRegistry registry;

  /** Reports to {@code registry}. */
  public MicroProfileMetrics(MetricRegistry registry) {
    this.registry = registry;
  }

  @Override
  public void flush(String kind, FlushResult result) {
    registry.counter("rollout_wal_flush_total", tag("result", result), tag("kind", kind)).inc();
  }

  @Override
  public void cleanup(String kind, CleanupResult result) {
    registry.counter("rollout_wal_cleanup_total", tag("result", result), tag("kind", kind)).inc();
  }

  @Override
  public void reclaimed(String kind, int generations) {
    registry.counter("rollout_wal_generations_reclaimed_total", tag("kind", kind)).inc(generations);
  }

  @Override
  public void mergePhase(String phase, Duration duration) {
    registry.timer("rollout_wal_merge_duration_seconds", tag("phase", phase)).update(duration);
  }

  @Override
  public void mergeError(String phase) {
    registry.counter("rollout_wal_merge_errors_total", tag("phase", phase)).inc();
  }

  @Override
  public void index(String kind, IndexResult result) {
    registry.counter("contextstore_index_total", tag("result", result), tag("kind", kind)).inc();
  }

  private static Tag tag(String name, Object value) {
    return new Tag(name, value.toString().toLowerCase(Locale.ROOT));
  }
}
