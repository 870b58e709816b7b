/**
 * The HTTP layer: it turns requests into calls on {@code io.contextstore.api} and their outcomes
 * into answers, and knows nothing else of the engine.
 *
 * <p>A request passes {@code error.ApiFilter} (is the address well-formed?), is matched to a method
 * of an interface in {@code io.contextstore.api.rest}, passes {@code request.RequestFilter} (are
 * its parameters, media type and size those of that method?) and reaches a resource here. The
 * resource calls the engine and hands {@code answer} the outcome. Whatever fails on the way, also
 * in the framework or the container, becomes the error body in {@code error}.
 */
@NullMarked
package io.contextstore.web;

import org.jspecify.annotations.NullMarked;
