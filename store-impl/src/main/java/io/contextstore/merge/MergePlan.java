package io.contextstore.merge;

import io.contextstore.generation.Generation;
import io.contextstore.view.MaintenanceSlot;
import io.contextstore.view.Pin;
import io.contextstore.view.Store;
import java.util.List;

/**
 * A merge that is prepared: slot taken, view pinned, generations picked.
 *
 * @param store the store
 * @param claim its maintenance slot
 * @param pin keeps the generations
 * @param generations the oldest sealed ones without a gap, oldest first, at least one
 */
public record MergePlan(
    Store store, MaintenanceSlot.Claim claim, Pin pin, List<Generation> generations) {
  /** Copies the list. */
  public MergePlan {
    generations = List.copyOf(generations);
    if (generations.isEmpty()) {
      throw new IllegalArgumentException("a merge needs a generation");
    }
  }

  /** The segment of the newest generation: the watermark when the merge has landed. */
  public long watermark() {
    return generations.getLast().segment();
  }

  /** The segment before the oldest generation: the watermark that the merge starts from. */
  public long expectedWatermark() {
    return generations.getFirst().segment() - 1;
  }

  /** Gives pin and slot back, once. No native call of the pass may be running. */
  public void release() {
    pin.close();
    claim.release();
  }
}
