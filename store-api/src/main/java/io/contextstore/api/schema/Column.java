package io.contextstore.api.schema;

/**
 * One column of a store.
 *
 * @param name its name, unique in the schema
 * @param type its type
 * @param nullable whether a row may leave it out
 */
public record Column(String name, ColumnType type, boolean nullable) {}
