/**
 * A store and what its readers see. A {@link io.contextstore.view.View} is an immutable snapshot:
 * the base table at one version, the sealed generations from oldest to newest, and the active
 * generation. A reader takes a {@link io.contextstore.view.Pin} from the {@link
 * io.contextstore.view.Store}, reads at the pin's visible LSN, and closes it; no lock is involved.
 *
 * <p>Seals and merges make a new view and swap it in; the old one is released afterwards and freed,
 * on a thread of its own, when its last pin is closed. The {@link io.contextstore.view.Catalog}
 * decides which stores exist; {@link io.contextstore.view.DataFolder} keeps a second process out.
 */
@NullMarked
package io.contextstore.view;

import org.jspecify.annotations.NullMarked;
