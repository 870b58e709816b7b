/**
 * What the server counts. {@link io.contextstore.metrics.EngineMetrics} is what the engine reports
 * to; a seal and a merge are counted apart, each with its own outcome, so that a failing merge is
 * never taken for a failing flush.
 */
@NullMarked
package io.contextstore.metrics;

import org.jspecify.annotations.NullMarked;
