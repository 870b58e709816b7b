/**
 * Requests, read strictly: what is unknown, doubled, malformed or too large is refused with its
 * name and never ignored.
 *
 * <p>{@code Address} judges the raw address before JAX-RS splits it. After matching, {@code
 * RequestFilter} compares the request with the {@code Call} that was matched and puts a {@code
 * BodyStream} before the body. Small bodies become values in the readers, by way of {@code
 * StrictJson} and {@code Members}; the body of an append goes to the engine as it is.
 */
@NullMarked
package io.contextstore.web.request;

import org.jspecify.annotations.NullMarked;
