package io.contextstore.filter;

import java.util.Set;

/**
 * A predicate in Lance's SQL that is safe to hand to Lance: bounded in length and nesting, with no
 * text of a user in it other than hexadecimal digits and the names of columns of the schema.
 *
 * <p>Only this package makes them ({@link FilterCompiler}, {@link KeyFilters}); the constructor is
 * public because a public record cannot hide it. Code elsewhere takes them and passes them on.
 *
 * @param sql the predicate, a complete expression in parentheses or a single term
 * @param columns the columns that it reads
 */
public record RenderedFilter(String sql, Set<String> columns) {
  /** Copies the set. */
  public RenderedFilter {
    columns = Set.copyOf(columns);
  }
}
