/**
 * A store's columns as Arrow sees them.
 *
 * <p>{@link io.contextstore.schema.ArrowSchemas} turns a {@link
 * io.contextstore.api.schema.StoreSchema} into the Arrow schema of its row batches, and gives the
 * one schema of tombstone batches, which hold nothing but keys. {@link
 * io.contextstore.schema.SchemaFingerprint} names a schema in 32 bytes, so that a log segment can
 * be refused when it was written for other columns. Both are pure functions; the columns of a store
 * never change, so a caller computes them once and keeps the result.
 */
@NullMarked
package io.contextstore.schema;

import org.jspecify.annotations.NullMarked;
