/**
 * Answers of calls that went well: small JSON objects as bytes with their length, rows as a stream.
 *
 * <p>A resource gives each {@link io.contextstore.api.RowStream} to {@code OpenRows}, which closes
 * it when the request ends, and the stream to {@code Answers}, which writes it.
 */
@NullMarked
package io.contextstore.web.answer;

import org.jspecify.annotations.NullMarked;
