package io.contextstore.filter;

/**
 * A predicate that was written by our renderer, never by a user: the only text that may reach Lance
 * as a filter.
 *
 * @param sql the predicate; plain ASCII outside the hex literals that hold the user's text
 */
public record RenderedFilter(String sql) {}
