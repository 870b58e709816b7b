/**
 * The public contract of Context Store: values that cross module borders and the business
 * interfaces that the HTTP layer calls.
 *
 * <p>A caller looks a store up by {@link io.contextstore.api.StoreName}, appends with {@link
 * io.contextstore.api.GenericStores#append} and reads through a {@link
 * io.contextstore.api.RowStream}, which it must close. Everything here is immutable and safe to
 * share between threads; failures are the sealed family in {@code io.contextstore.api.error}.
 */
@NullMarked
package io.contextstore.api;

import org.jspecify.annotations.NullMarked;
