/**
 * Rows between their three forms: JSON on the wire, Arrow batches in memory, Arrow IPC messages in
 * the log.
 *
 * <p>In: {@link io.contextstore.codec.RowParser} streams a request body into one {@link
 * io.contextstore.codec.RowBatch}, all of it or none, and checks every rule of the contract on the
 * way. Then {@link io.contextstore.codec.BatchFrames#encode} shows that batch as the bytes of an
 * IPC message without copying it, and {@link io.contextstore.codec.BatchFrames#decode} makes a
 * batch of such bytes again at replay. Out: a {@link io.contextstore.codec.Projection} checks the
 * columns that a user asked for, a {@link io.contextstore.codec.RowWriter} writes them as JSON from
 * any batch that has them, and {@link io.contextstore.codec.RowsOutput} puts the envelope around.
 *
 * <p>Nothing here makes an object for a row: columns are resolved once, values go between the JSON
 * text and the buffers of their column.
 */
@NullMarked
package io.contextstore.codec;

import org.jspecify.annotations.NullMarked;
