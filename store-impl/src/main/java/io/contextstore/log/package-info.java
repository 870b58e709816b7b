/**
 * The write-ahead log of a store: what is acknowledged is on disk, in one order, and is found again
 * after any crash.
 *
 * <p>The log is a row of numbered <i>segments</i>, each a row of checksummed <i>frames</i>; one
 * frame is one request and has one log sequence number (LSN). {@link
 * io.contextstore.log.WriteAheadLog} is the seam: {@link io.contextstore.log.LocalLog} keeps
 * segments as files. Order of calls: {@code LocalLog.open} (mends what a crash left, refuses what
 * is corrupt), read the segments back with {@link io.contextstore.log.SegmentReader}, then hand the
 * log to a {@link io.contextstore.log.LogWriter}, its single writer from then on: {@code submit}
 * and {@code seal} from any thread, group commit on one thread, the listener told in LSN order.
 * When the rows of a segment are elsewhere, {@code dropThrough} removes it. At the end close the
 * writer, then the log. Bodies are bytes; nothing here knows what they mean.
 */
@NullMarked
package io.contextstore.log;

import org.jspecify.annotations.NullMarked;
