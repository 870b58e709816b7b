/**
 * One body for every failure: {@code {"error":{"code","message"}}}.
 *
 * <p>{@code ErrorAnswer} decides what a failure is answered with and logs it. It is reached by
 * three doors: {@code ErrorMapper} for what a resource or JAX-RS throws, {@code ApiFilter} for what
 * fails before or behind JAX-RS, and {@code ErrorPage} for what the container refuses by itself.
 */
@NullMarked
package io.contextstore.web.error;

import org.jspecify.annotations.NullMarked;
