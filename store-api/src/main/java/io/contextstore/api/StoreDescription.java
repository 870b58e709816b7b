package io.contextstore.api;

import io.contextstore.api.schema.StoreSchema;

/**
 * What a store looks like from outside.
 *
 * @param name its name
 * @param uri the folder of its base table
 * @param version the version of its base table now
 * @param schema its columns
 */
public record StoreDescription(StoreName name, String uri, long version, StoreSchema schema) {}
