/**
 * The HTTP contract as JAX-RS interfaces: each method is one call of {@code /api/v1}.
 *
 * <p>The server implements them; a client may hand them to a MicroProfile REST client. The OpenAPI
 * annotations are the reference of a call; the schemas and error answers that they refer to are the
 * document's components. A resource adds no meaning of its own: it turns parameters into the values
 * of {@link io.contextstore.api} and calls {@link io.contextstore.api.GenericStores}.
 */
@NullMarked
package io.contextstore.api.rest;

import org.jspecify.annotations.NullMarked;
