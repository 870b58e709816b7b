package io.contextstore.maintenance;

import io.contextstore.generation.Generation;
import io.contextstore.view.MaintenanceSlot;
import io.contextstore.view.Pin;
import io.contextstore.view.Store;
import io.contextstore.view.View;

/**
 * Upkeep of an index that is prepared: slot taken, view pinned.
 *
 * @param store the store
 * @param claim its maintenance slot
 * @param pin keeps the store from being closed as a whole meanwhile
 */
public record IndexPlan(Store store, MaintenanceSlot.Claim claim, Pin pin) {
  /** The last segment whose rows are in the base table. An index does not change it. */
  public long watermark() {
    View view = pin.view();
    Generation oldest = view.sealed().isEmpty() ? view.active() : view.sealed().getFirst();
    return oldest.segment() - 1;
  }

  /** Gives pin and slot back, once. No native call of the pass may be running. */
  public void release() {
    pin.close();
    claim.release();
  }
}
