package io.contextstore.api;

/**
 * The answer to an append: its rows are durable and visible.
 *
 * @param version the version of the base table when the rows became visible
 * @param count the number of rows in the request, at least 0
 */
public record Appended(long version, long count) {}
