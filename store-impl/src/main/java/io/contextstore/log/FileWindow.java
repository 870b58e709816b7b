package io.contextstore.log;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.util.zip.CRC32C;

/** A small window that moves over a file; for one thread. Offsets count from the file's start. */
final class FileWindow {
  private static final int SIZE = 64 * 1024;

  private final FileChannel channel;
  private final long limit;
  // On the heap: a direct buffer would be freed only by the garbage collector, and a recovery opens
  // many of these.
  private final ByteBuffer window = ByteBuffer.allocate(SIZE).order(ByteOrder.LITTLE_ENDIAN);
  private long start;

  /** A window on the first {@code limit} bytes of the file. */
  FileWindow(FileChannel channel, long limit) {
    this.channel = channel;
    this.limit = limit;
    window.limit(0);
  }

  long limit() {
    return limit;
  }

  /** The window's bytes, little endian, from index 0 to its limit. */
  ByteBuffer bytes() {
    return window;
  }

  /**
   * Moves the window, if need be, so that it holds {@code length} bytes from {@code offset} on, or
   * as many as there are.
   *
   * @param length at most a few KiB
   * @return index of {@code offset} in {@link #bytes}
   */
  int seek(long offset, int length) throws IOException {
    long wanted = Math.min(length, limit - offset);
    if (offset < start || offset + wanted > start + window.limit()) {
      window.clear().limit((int) Math.min(SIZE, limit - offset));
      start = offset;
      fill(window, offset);
      window.flip();
    }
    return (int) (offset - start);
  }

  /** CRC-32C of a range. */
  int checksum(long offset, int length) throws IOException {
    CRC32C crc = new CRC32C();
    long at = offset;
    long end = offset + length;
    while (at < end) {
      int index = seek(at, 1);
      int count = (int) Math.min(end - at, window.limit() - index);
      crc.update(window.slice(index, count));
      at += count;
    }
    return (int) crc.getValue();
  }

  /**
   * Fills {@code target} from {@code offset} on; what the window does not hold goes straight in.
   */
  void copy(long offset, ByteBuffer target) throws IOException {
    long at = offset;
    if (at >= start && at < start + window.limit()) {
      int index = (int) (at - start);
      int count = Math.min(target.remaining(), window.limit() - index);
      target.put(window.slice(index, count));
      at += count;
    }
    fill(target, at);
  }

  private void fill(ByteBuffer target, long offset) throws IOException {
    long at = offset;
    while (target.hasRemaining()) {
      int count = channel.read(target, at);
      if (count < 0) {
        throw new EOFException("the file became shorter while it was read");
      }
      at += count;
    }
  }
}
