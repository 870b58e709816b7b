package io.contextstore.log;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32C;

/**
 * A file with the body of one large frame. Little endian:
 *
 * <pre>
 *   0  magic "CTXSPAY" and a line feed            8 bytes
 *   8  format version, 1                          int
 *  12  header length, 64                          int
 *  16  store incarnation                          8 hex digits in ASCII
 *  24  payload number                             long
 *  32  salt: random, repeated in the reference    long
 *  40  body length                                long
 *  48  CRC-32C of the body                        int
 *  52  zero                                       8 bytes
 *  60  CRC-32C of bytes 0 to 59                   int
 *  64  body, to the end of the file
 * </pre>
 *
 * A payload file is written and synced before the frame that refers to it, by the thread whose
 * request it is, so that the log's writer never waits for a large body. One that no frame refers to
 * is rubbish.
 */
final class PayloadFile {
  static final int HEADER_LENGTH = 64;
  private static final long MAGIC = 0x0A59415053585443L;
  private static final int CHECKSUM_AT = 60;

  /** Between two syncs; bounds how much the sync of a small append may have to wait for. */
  private static final int SLICE = 4 << 20;

  private PayloadFile() {}

  /** Writes the file durably. */
  static void write(LogFolder folder, LogIdentity identity, StagedBody staged, FrameBody body)
      throws IOException {
    Path name = LogFiles.payload(folder.path(), staged.number());
    Path temporary = LogFiles.temporary(name);
    List<ByteBuffer> parts = new ArrayList<>();
    parts.add(header(identity, staged));
    body.addTo(parts);
    try (SegmentFile file = folder.create(temporary)) {
      for (List<ByteBuffer> slice : slices(parts)) {
        file.write(slice);
        file.force();
      }
    }
    folder.rename(temporary, name);
    folder.sync();
  }

  private static List<List<ByteBuffer>> slices(List<ByteBuffer> parts) {
    List<List<ByteBuffer>> slices = new ArrayList<>();
    List<ByteBuffer> slice = new ArrayList<>();
    int room = SLICE;
    for (ByteBuffer part : parts) {
      int at = 0;
      while (at < part.remaining()) {
        int length = Math.min(room, part.remaining() - at);
        slice.add(part.slice(part.position() + at, length));
        at += length;
        room -= length;
        if (room == 0) {
          slices.add(slice);
          slice = new ArrayList<>();
          room = SLICE;
        }
      }
    }
    slices.add(slice);
    return slices;
  }

  private static ByteBuffer header(LogIdentity identity, StagedBody staged) {
    ByteBuffer bytes = ByteBuffer.allocateDirect(HEADER_LENGTH).order(ByteOrder.LITTLE_ENDIAN);
    bytes.putLong(MAGIC).putInt(1).putInt(HEADER_LENGTH);
    bytes.put(identity.incarnationBytes());
    bytes.putLong(staged.number()).putLong(staged.salt()).putLong(staged.length());
    bytes.putInt(staged.checksum()).putLong(0);
    CRC32C crc = new CRC32C();
    crc.update(bytes.slice(0, CHECKSUM_AT));
    return bytes.putInt((int) crc.getValue()).flip();
  }

  /**
   * Whether the file is there and is the whole file of this body, judged by header and size.
   *
   * @return what is wrong with it, or an empty text
   */
  static String problem(LogFolder folder, LogIdentity identity, StagedBody staged)
      throws IOException {
    Path file = LogFiles.payload(folder.path(), staged.number());
    try (FileChannel channel = folder.read(file)) {
      return problem(channel, identity, staged);
    } catch (NoSuchFileException e) {
      return "the payload file is missing";
    }
  }

  private static String problem(FileChannel channel, LogIdentity identity, StagedBody staged)
      throws IOException {
    if (channel.size() != HEADER_LENGTH + (long) staged.length()) {
      return "the payload file has %d bytes, not %d"
          .formatted(channel.size(), HEADER_LENGTH + (long) staged.length());
    }
    ByteBuffer header = ByteBuffer.allocate(HEADER_LENGTH);
    fill(channel, 0, header);
    return header.flip().equals(header(identity, staged))
        ? ""
        : "the payload file's header is not that of the body that the log names";
  }

  /**
   * Reads the body into {@code target}, which has exactly its length.
   *
   * @return what is wrong with it, or an empty text
   */
  static String read(LogFolder folder, LogIdentity identity, StagedBody staged, ByteBuffer target)
      throws IOException {
    Path file = LogFiles.payload(folder.path(), staged.number());
    try (FileChannel channel = folder.read(file)) {
      String problem = problem(channel, identity, staged);
      if (problem.isEmpty()) {
        fill(channel, HEADER_LENGTH, target);
        CRC32C crc = new CRC32C();
        crc.update(target.flip());
        problem =
            (int) crc.getValue() == staged.checksum()
                ? ""
                : "the checksum of the payload's body is wrong";
      }
      return problem;
    } catch (NoSuchFileException e) {
      return "the payload file is missing";
    }
  }

  private static void fill(FileChannel channel, long offset, ByteBuffer target) throws IOException {
    long at = offset;
    while (target.hasRemaining()) {
      int count = channel.read(target, at);
      if (count < 0) {
        throw new EOFException("the payload file became shorter while it was read");
      }
      at += count;
    }
  }
}
