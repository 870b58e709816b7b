package io.contextstore.read;

import io.contextstore.filter.RenderedFilter;
import io.contextstore.generation.Generation;
import io.contextstore.generation.MemoryBudget;
import io.contextstore.table.TableEngine;
import java.time.Duration;

/**
 * Filters the rows of generations with the base table's own semantics, by copies of them in tables
 * in memory. A copy is made at the first filtered read and kept with its generation. Safe for use
 * by many threads.
 */
public final class FilterTables {
  private final TableEngine engine;
  private final MemoryBudget budget;
  private final Duration deadline;

  /**
   * Makes it.
   *
   * @param budget counts the copies
   * @param deadline how long a caller waits for a filter to be planned
   */
  public FilterTables(TableEngine engine, MemoryBudget budget, Duration deadline) {
    this.engine = engine;
    this.budget = budget;
    this.deadline = deadline;
  }

  /** A matcher for one filter and one read. */
  RowMatcher matcher(RenderedFilter filter) {
    return (generation, lsn) -> copies(generation).matching(filter, lsn, deadline);
  }

  // The generation owns what is attached to it.
  private FilterCopies copies(Generation generation) {
    if (generation.attachment().orElse(null) instanceof FilterCopies copies) {
      return copies;
    }
    return generation.attach(new FilterCopies(generation, engine, budget));
  }
}
