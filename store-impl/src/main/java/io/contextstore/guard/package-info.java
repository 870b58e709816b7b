/**
 * The runtime half of the one rule: no lock is held across I/O. The coordinator marks the thread
 * that runs one of its methods with {@link io.contextstore.guard.MemoryOnly}; the log, the table
 * and the catalog check the mark before they touch storage.
 */
@NullMarked
package io.contextstore.guard;

import org.jspecify.annotations.NullMarked;
