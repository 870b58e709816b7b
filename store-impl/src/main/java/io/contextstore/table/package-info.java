/**
 * Base tables on Lance: the only package that knows Lance.
 *
 * <p>The one idea: a Lance handle is a mutex that is held across I/O, so the kinds of work never
 * share one. Readers ({@link io.contextstore.table.TableReader}) can only scan; every write opens a
 * handle of its own and closes it. The order of calls: one {@link
 * io.contextstore.table.TableEngine} a process; {@link io.contextstore.table.BaseTables#create}
 * once in a store's life; {@link io.contextstore.table.BaseTables#takeOwnership} before a process
 * touches a table, and again after every commit whose outcome is unknown; then one {@link
 * io.contextstore.table.MergePass} after the other: find rows, delete rows, write rows, commit; and
 * {@link io.contextstore.table.BaseTables#upkeepIndex} between them. Data, deletions and the log's
 * watermark land in one Lance transaction, so a crash at any point neither loses nor doubles a row.
 * Lance never syncs a local file; {@code TableFiles} does it here, in the order that the recovery
 * relies on.
 */
@NullMarked
package io.contextstore.table;

import org.jspecify.annotations.NullMarked;
