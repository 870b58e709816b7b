package io.contextstore.log;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Optional;

/**
 * Body of the seal frame, the last one of a sealed segment; nothing follows it in the file. Little
 * endian:
 *
 * <pre>
 *   0  number of data frames                  long
 *   8  LSN of the first                       long
 *  16  LSN of the last (first - 1: none)      long
 *  24  offset of the seal frame in the file   long
 *  32  number of frames with a payload file   long
 *  40  bytes of those payload files           long
 *  48
 * </pre>
 *
 * The seal frame itself has the LSN after the last and is always {@link #FRAME_LENGTH} long, so the
 * end of a file tells whether it is sealed.
 */
record SegmentFooter(
    long frames, long firstLsn, long lastLsn, long offset, long payloads, long payloadBytes) {
  static final int LENGTH = 48;
  static final int FRAME_LENGTH = FrameHeader.LENGTH + LENGTH;

  ByteBuffer encode() {
    return ByteBuffer.allocateDirect(LENGTH)
        .order(ByteOrder.LITTLE_ENDIAN)
        .putLong(frames)
        .putLong(firstLsn)
        .putLong(lastLsn)
        .putLong(offset)
        .putLong(payloads)
        .putLong(payloadBytes)
        .flip();
  }

  /** Reads the remaining bytes of {@code body}; empty if they are not a footer. */
  static Optional<SegmentFooter> parse(ByteBuffer body) {
    if (body.remaining() != LENGTH) {
      return Optional.empty();
    }
    ByteBuffer in = body.slice().order(ByteOrder.LITTLE_ENDIAN);
    return Optional.of(
        new SegmentFooter(
            in.getLong(), in.getLong(), in.getLong(), in.getLong(), in.getLong(), in.getLong()));
  }
}
