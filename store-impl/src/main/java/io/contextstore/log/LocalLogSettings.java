package io.contextstore.log;

/**
 * Settings of a log on local disk.
 *
 * @param segmentBytes size at which a seal is advised; at least 4 KiB. A segment may grow past it
 *     by one group
 */
public record LocalLogSettings(long segmentBytes) {
  /** Segments of 64 MiB. */
  public static final LocalLogSettings DEFAULT = new LocalLogSettings(64L << 20);

  /** Checks the range. */
  public LocalLogSettings {
    if (segmentBytes < 4096) {
      throw new IllegalArgumentException("a segment needs 4096 bytes or more: " + segmentBytes);
    }
  }
}
