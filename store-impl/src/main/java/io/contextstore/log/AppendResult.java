package io.contextstore.log;

/**
 * A group that is durable.
 *
 * @param firstLsn LSN of the group's first frame; the others follow without a gap
 * @param lastLsn LSN of its last frame
 * @param sealAdvised whether the segment has reached its size and should be sealed
 */
public record AppendResult(long firstLsn, long lastLsn, boolean sealAdvised) {}
