package io.contextstore.view;

import io.contextstore.generation.Memtable;
import io.contextstore.log.WriteAheadLog;

/**
 * A log that has been replayed.
 *
 * @param log ready for appends
 * @param retention knows its segments
 * @param firstView base table and replayed generations
 * @param memtable the writer's end of the view's active generation
 */
record OpenedLog(
    WriteAheadLog log, SegmentRetention retention, View firstView, Memtable memtable) {}
