/**
 * Folding sealed generations into the base table, exactly once. A pass has three steps: the
 * coordinator prepares it in memory ({@link io.contextstore.merge.MergePlan}), the {@link
 * io.contextstore.merge.MergeWriter} writes it without any lock, and the coordinator commits the
 * {@link io.contextstore.merge.MergeOutcome} by swapping the store's view.
 *
 * <p>The writer keeps the newest row of each key, finds the base rows that these replace, and lands
 * new rows, deletions and the watermark in one transaction of the table. After a conflict all of it
 * is redone from a new handle; after an unknown outcome ownership is taken anew, which fences off
 * the lost commit, and the watermark decides what is left to do.
 */
@NullMarked
package io.contextstore.merge;

import org.jspecify.annotations.NullMarked;
