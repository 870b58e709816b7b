package io.contextstore.log;

import java.time.Duration;

/**
 * Bounds of a {@link LogWriter}.
 *
 * @param queueBytes most bytes of bodies that were submitted and are not settled; one larger body
 *     is taken when nothing else is there
 * @param queueItems most frames that were submitted and are not settled
 * @param groupBytes most bytes of bodies in one write, unless a single body is larger
 * @param groupItems most frames in one write
 * @param largeBytes bodies above this are staged by the thread that submits them
 * @param callDeadline time that one append or seal of the log may take
 */
public record LogWriterSettings(
    long queueBytes,
    int queueItems,
    long groupBytes,
    int groupItems,
    int largeBytes,
    Duration callDeadline) {
  /**
   * Queue of 64 MiB or 4,096 frames, groups of 16 MiB or 512 frames, large above 8 MiB, 30 seconds.
   */
  public static final LogWriterSettings DEFAULT =
      new LogWriterSettings(64L << 20, 4096, 16L << 20, 512, 8 << 20, Duration.ofSeconds(30));

  /** Checks the ranges. */
  public LogWriterSettings {
    if (queueBytes < 1 || queueItems < 1 || groupBytes < 1 || groupItems < 1 || largeBytes < 1) {
      throw new IllegalArgumentException("bounds must be positive");
    }
    if (callDeadline.isNegative() || callDeadline.isZero()) {
      throw new IllegalArgumentException("the deadline must be positive: " + callDeadline);
    }
  }
}
