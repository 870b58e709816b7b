/**
 * Maintenance and its coordination. The {@link io.contextstore.maintenance.Coordinator} is the one
 * guarded path of everything that changes a store's view or the set of stores: its prepare methods
 * share its lock, its commit methods exclude all others, and all of them touch memory only. Between
 * a prepare and its commit the work is done without any lock, on the maintenance executor.
 *
 * <p>Merges are followed by the upkeep of the index on the key, when it is due: the same three
 * steps under the same maintenance slot, one store at a time, counted apart.
 *
 * <p>The rule of the lock: no lock is held across I/O, and no request waits for maintenance.
 * Appends and reads do not come here at all.
 */
@NullMarked
package io.contextstore.maintenance;

import org.jspecify.annotations.NullMarked;
