package io.contextstore.log;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.zip.CRC32C;

/**
 * The first bytes of a segment. Little endian:
 *
 * <pre>
 *   0  magic "CTXSLOG" and a line feed        8 bytes
 *   8  format version, 1                      int
 *  12  header length, 96                      int
 *  16  store incarnation                      8 hex digits in ASCII
 *  24  SHA-256 of the store's schema          32 bytes
 *  56  segment number, from 1                 long
 *  64  LSN of the first frame                 long
 *  72  owner epoch                            long
 *  80  salt: random, repeated in each frame   long
 *  88  zero                                   int
 *  92  CRC-32C of bytes 0 to 91               int
 *  96  first frame
 * </pre>
 *
 * The salt makes a frame of this segment impossible to confuse with anything else: with old blocks
 * of another file that a crash brings up, and with bytes that a user put into a row so that they
 * look like a frame.
 *
 * <p>The first 96 bytes keep their places in every later version, which may only make the header
 * longer; so a damaged header and one of a newer version can be told apart.
 *
 * @param identity whose segment it is
 * @param number of the segment, from 1
 * @param firstLsn LSN of the first frame; everything below it was durable when the segment was made
 * @param ownerEpoch who made it
 * @param salt see above
 */
record SegmentHeader(LogIdentity identity, long number, long firstLsn, long ownerEpoch, long salt) {
  static final int LENGTH = 96;
  private static final long MAGIC = 0x0A474F4C53585443L;
  private static final int VERSION = 1;
  private static final int CHECKSUM_AT = 92;

  /** What the first bytes of a file turned out to be. */
  sealed interface Parsed {
    /** A header of ours. */
    record Whole(SegmentHeader header) implements Parsed {}

    /** A whole header, of a format that this program does not know. */
    record OtherVersion(int version) implements Parsed {}

    /** Too short, or the checksum or magic is wrong. */
    record Damaged() implements Parsed {}
  }

  ByteBuffer encode() {
    ByteBuffer bytes = ByteBuffer.allocateDirect(LENGTH).order(ByteOrder.LITTLE_ENDIAN);
    bytes.putLong(MAGIC).putInt(VERSION).putInt(LENGTH);
    bytes.put(identity.incarnationBytes());
    bytes.put(HexFormat.of().parseHex(identity.schemaFingerprint()));
    bytes.putLong(number).putLong(firstLsn).putLong(ownerEpoch).putLong(salt).putInt(0);
    bytes.putInt(checksum(bytes)).flip();
    return bytes;
  }

  /** Reads a header from the start of {@code bytes}, which may hold fewer bytes than a header. */
  static Parsed parse(ByteBuffer bytes) {
    ByteBuffer in = bytes.slice().order(ByteOrder.LITTLE_ENDIAN);
    if (in.remaining() < LENGTH
        || in.getLong(0) != MAGIC
        || in.getInt(CHECKSUM_AT) != checksum(in)) {
      return new Parsed.Damaged();
    }
    if (in.getInt(8) != VERSION || in.getInt(12) != LENGTH) {
      return new Parsed.OtherVersion(in.getInt(8));
    }
    byte[] incarnation = new byte[8];
    in.get(16, incarnation);
    byte[] fingerprint = new byte[32];
    in.get(24, fingerprint);
    LogIdentity identity;
    try {
      identity =
          new LogIdentity(
              new String(incarnation, StandardCharsets.US_ASCII),
              HexFormat.of().formatHex(fingerprint));
    } catch (IllegalArgumentException e) {
      return new Parsed.Damaged();
    }
    return new Parsed.Whole(
        new SegmentHeader(
            identity, in.getLong(56), in.getLong(64), in.getLong(72), in.getLong(80)));
  }

  private static int checksum(ByteBuffer bytes) {
    CRC32C crc = new CRC32C();
    crc.update(bytes.slice(0, CHECKSUM_AT));
    return (int) crc.getValue();
  }
}
