package io.contextstore.log;

import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.zip.CRC32C;

/**
 * The head of a frame. Little endian, every frame starts at a multiple of 8 bytes:
 *
 * <pre>
 *   0  magic "CFRM"                           int
 *   4  kind, see FrameKind                    byte
 *   5  flags, zero                            byte
 *   6  zero                                   short
 *   8  LSN                                    long
 *  16  durable LSN                            long
 *  24  salt of the segment                    long
 *  32  body length                            int
 *  36  CRC-32C of the body                    int
 *  40  zero                                   int
 *  44  CRC-32C of bytes 0 to 43               int
 *  48  body, then 0 to 7 bytes to fill up to a multiple of 8 (in no checksum)
 * </pre>
 *
 * The head's checksum covers the body's, so together they cover the frame; apart they let a reader
 * trust LSN and length of a frame whose body is damaged, step over bodies that it does not need,
 * and let the body's checksum be computed before the LSN is known.
 *
 * <p>The <i>durable LSN</i> is what tells a torn tail from corruption: frames behind a bad one
 * prove it bad, and not merely unfinished, if one of them knew it to be synced.
 *
 * @param kindCode kept as a number, because a whole frame may be of a kind that only a newer
 *     program knows
 * @param lsn log sequence number
 * @param durableLsn LSN known synced when the frame was written
 * @param salt of its segment
 * @param bodyLength bytes, without the filling
 * @param bodyChecksum CRC-32C of the body
 */
record FrameHeader(
    int kindCode, long lsn, long durableLsn, long salt, int bodyLength, int bodyChecksum) {
  static final int LENGTH = 48;
  static final int ALIGNMENT = 8;
  static final int MAGIC = 0x4D524643;
  private static final int CHECKSUM_AT = 44;

  /** Bytes of filling behind a body of this length. */
  static int padding(int bodyLength) {
    return -bodyLength & (ALIGNMENT - 1);
  }

  /** Bytes of a whole frame with a body of this length. */
  static long frameLength(int bodyLength) {
    return (long) LENGTH + bodyLength + padding(bodyLength);
  }

  long frameLength() {
    return frameLength(bodyLength);
  }

  /** Writes the head at the position of {@code out}, which must be little endian. */
  void encode(ByteBuffer out) {
    int start = out.position();
    out.putInt(MAGIC).put((byte) kindCode).put((byte) 0).putShort((short) 0);
    out.putLong(lsn).putLong(durableLsn).putLong(salt);
    out.putInt(bodyLength).putInt(bodyChecksum).putInt(0);
    out.putInt(checksum(out, start));
  }

  /**
   * Reads a head of the segment with this salt.
   *
   * @param in little endian; not moved
   * @param at index of its first byte
   * @return empty if there are not enough bytes or they are not a whole head of this segment
   */
  static Optional<FrameHeader> parse(ByteBuffer in, int at, long salt) {
    if (in.limit() - at < LENGTH
        || in.getInt(at) != MAGIC
        || in.getLong(at + 24) != salt
        || in.getInt(at + CHECKSUM_AT) != checksum(in, at)) {
      return Optional.empty();
    }
    int bodyLength = in.getInt(at + 32);
    if (bodyLength < 0 || bodyLength > FrameBody.MAX_LENGTH) {
      return Optional.empty();
    }
    // Flags and spare fields are part of the kind's number: not zero means a frame of the future.
    int spare = in.getInt(at + 4) >>> 8 | in.getInt(at + 40);
    int kindCode = spare == 0 ? in.get(at + 4) & 0xFF : -1;
    return Optional.of(
        new FrameHeader(
            kindCode,
            in.getLong(at + 8),
            in.getLong(at + 16),
            salt,
            bodyLength,
            in.getInt(at + 36)));
  }

  private static int checksum(ByteBuffer bytes, int at) {
    CRC32C crc = new CRC32C();
    crc.update(bytes.slice(at, CHECKSUM_AT));
    return (int) crc.getValue();
  }
}
