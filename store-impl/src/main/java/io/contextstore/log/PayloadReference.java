package io.contextstore.log;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Optional;

/**
 * Body of a payload reference, which stands in the segment for a frame whose own body is a file.
 * Little endian:
 *
 * <pre>
 *   0  kind of the frame that it stands for   int
 *   4  CRC-32C of the payload's body          int
 *   8  number of the payload file             long
 *  16  salt of the payload file               long
 *  24  length of the payload's body           long
 *  32
 * </pre>
 */
record PayloadReference(FrameKind kind, StagedBody body) {
  static final int LENGTH = 32;

  ByteBuffer encode() {
    return ByteBuffer.allocateDirect(LENGTH)
        .order(ByteOrder.LITTLE_ENDIAN)
        .putInt(kind.code())
        .putInt(body.checksum())
        .putLong(body.number())
        .putLong(body.salt())
        .putLong(body.length())
        .flip();
  }

  /** Reads {@link #LENGTH} bytes; empty if they are not a reference that this program knows. */
  static Optional<PayloadReference> parse(ByteBuffer bytes) {
    ByteBuffer in = bytes.slice().order(ByteOrder.LITTLE_ENDIAN);
    int kind = in.getInt();
    int checksum = in.getInt();
    long number = in.getLong();
    long salt = in.getLong();
    long length = in.getLong();
    if (length < 0 || length > FrameBody.MAX_LENGTH) {
      return Optional.empty();
    }
    return FrameKind.dataOf(kind)
        .map(
            known ->
                new PayloadReference(known, new StagedBody(number, (int) length, checksum, salt)));
  }
}
