/**
 * Reads over a pinned view. A {@link io.contextstore.read.Snapshot} knows, for every key, what the
 * generations say of it at the pin's visible LSN; {@link io.contextstore.read.StoreReader} turns
 * get, get-many and list into a {@link io.contextstore.read.RowCursor}, which hands out rows batch
 * by batch: the rows of the generations that are not shadowed by newer ones, then the base rows
 * whose keys no generation mentions.
 *
 * <p>Shadowing comes before filtering: an old row that matches must not show through when its newer
 * one does not. Nothing here takes a lock, and the cursor owns the pin.
 */
@NullMarked
package io.contextstore.read;

import org.jspecify.annotations.NullMarked;
