package io.contextstore.log;

/**
 * A frame read back, without its bytes; those are fetched by {@link SegmentReader#copyBody}.
 *
 * @param kind {@link FrameKind#ROWS} or {@link FrameKind#TOMBSTONES}
 * @param lsn its log sequence number, from 1
 * @param durableLsn the LSN that was known synced when this frame was written; below {@code lsn}
 * @param bodyLength number of bytes of the body
 */
public record Frame(FrameKind kind, long lsn, long durableLsn, int bodyLength) {}
