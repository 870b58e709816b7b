/**
 * The rows of one log segment in memory. A {@link io.contextstore.generation.Memtable} is filled by
 * the store's single log writer, batch by batch in LSN order: {@code append} indexes a batch, then
 * publishes its LSN. A seal turns it into a sealed generation; the {@link
 * io.contextstore.generation.Generation} behind it stays the same, so readers notice nothing.
 *
 * <p>Readers take no lock. They fix a visible LSN first and ask every question at that LSN; each
 * row knows the LSN that superseded it, so a concurrent overwrite never hides a key from a reader
 * that started before it. Memory belongs to the generation, which counts its users and frees the
 * Arrow buffers with the last one.
 */
@NullMarked
package io.contextstore.generation;

import org.jspecify.annotations.NullMarked;
