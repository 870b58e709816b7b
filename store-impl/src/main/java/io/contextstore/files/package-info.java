/**
 * Durable small files: what must be synced, and in which order, so that a crash leaves the old or
 * the new content and never half of it.
 */
@NullMarked
package io.contextstore.files;

import org.jspecify.annotations.NullMarked;
