package io.contextstore.api;

/**
 * One line of the list of stores.
 *
 * @param name the store's name
 * @param uri the folder of its base table
 */
public record StoreSummary(StoreName name, String uri) {}
