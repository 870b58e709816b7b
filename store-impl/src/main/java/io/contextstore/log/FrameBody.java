package io.contextstore.log;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.zip.CRC32C;

/**
 * The bytes of one frame, as they lie in memory: a row of buffers, direct ones if they are to be
 * written without a copy. Their checksum is computed here, on the thread that makes the body, so
 * that the log's single writer does not have to.
 *
 * <p>The memory belongs to whoever made the body and must not change until the log has done with
 * it. With a {@code whenUnused} action that is when the action runs, exactly once, for a body that
 * was accepted. Without one it is when the future of {@link LogWriter#submit} completes, unless it
 * completes with a {@link LogDeadlineException}: then a write that hangs may still read the
 * buffers, and they must be left alone.
 *
 * <p>Immutable apart from the bytes; safe to pass between threads.
 */
public final class FrameBody implements FrameContent {
  /** Most bytes of one body, 1 GiB. */
  public static final int MAX_LENGTH = 1 << 30;

  private final ByteBuffer[] parts;
  private final int length;
  private final int checksum;
  private final Runnable whenUnused;

  private FrameBody(ByteBuffer[] parts, int length, int checksum, Runnable whenUnused) {
    this.parts = parts;
    this.length = length;
    this.checksum = checksum;
    this.whenUnused = whenUnused;
  }

  /** The remaining bytes of these buffers, in order. Their positions are not moved. */
  public static FrameBody of(List<ByteBuffer> buffers) {
    return of(buffers, () -> {});
  }

  /**
   * The remaining bytes of these buffers, in order.
   *
   * @param whenUnused run once the log no longer reads the buffers, on a thread of the log; must be
   *     short and must not throw
   * @throws IllegalArgumentException if there are more than {@link #MAX_LENGTH} bytes
   */
  public static FrameBody of(List<ByteBuffer> buffers, Runnable whenUnused) {
    CRC32C crc = new CRC32C();
    long length = 0;
    int count = 0;
    ByteBuffer[] parts = new ByteBuffer[buffers.size()];
    for (ByteBuffer buffer : buffers) {
      if (!buffer.hasRemaining()) {
        continue;
      }
      length += buffer.remaining();
      if (length > MAX_LENGTH) {
        throw new IllegalArgumentException("a frame body holds at most " + MAX_LENGTH + " bytes");
      }
      ByteBuffer part = buffer.slice();
      crc.update(part.duplicate());
      parts[count++] = part;
    }
    if (count < parts.length) {
      parts = Arrays.copyOf(parts, count);
    }
    return new FrameBody(parts, (int) length, (int) crc.getValue(), whenUnused);
  }

  @Override
  public int length() {
    return length;
  }

  /** CRC-32C of the bytes. */
  int checksum() {
    return checksum;
  }

  int partCount() {
    return parts.length;
  }

  /** Adds a fresh view of each buffer to {@code target}. */
  void addTo(List<ByteBuffer> target) {
    for (ByteBuffer part : parts) {
      target.add(part.duplicate());
    }
  }

  void unused() {
    whenUnused.run();
  }
}
