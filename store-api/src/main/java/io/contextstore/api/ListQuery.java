package io.contextstore.api;

import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * What a list of rows asks for.
 *
 * @param columns the columns wanted, in this order; empty means all but blobs
 * @param filter a SQL predicate over the store's columns, as the user wrote it
 * @param limit at most so many rows, at least 0
 * @param offset rows to pass over first, at least 0
 */
public record ListQuery(
    List<String> columns, Optional<String> filter, OptionalLong limit, OptionalLong offset) {
  /** Copies the columns. */
  public ListQuery {
    columns = List.copyOf(columns);
  }

  /** Whether the rows come as a page, and so in the order of their ids. */
  public boolean paged() {
    return limit.isPresent() || offset.isPresent();
  }
}
