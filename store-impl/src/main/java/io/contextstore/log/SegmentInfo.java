package io.contextstore.log;

/**
 * What is known of a segment without reading it.
 *
 * @param number from 1
 * @param firstLsn LSN of its first frame, or of the frame that will be its first
 * @param lastLsn LSN of its last data frame; {@code firstLsn - 1} if it has none. In a sealed
 *     segment the LSN after it belongs to the seal itself, so the next segment starts at {@code
 *     lastLsn + 2}
 * @param sealed whether it is closed for ever
 * @param bytes its durable size, with everything that belongs to it
 * @param frames number of data frames
 */
public record SegmentInfo(
    long number, long firstLsn, long lastLsn, boolean sealed, long bytes, long frames) {
  /** Whether it holds no data. */
  public boolean isEmpty() {
    return frames == 0;
  }
}
