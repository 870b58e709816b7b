package io.contextstore.codec;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.memory.ArrowBuf;

/**
 * A buffer that grows at its end in chunks of doubling size: nothing is moved while it grows, and
 * each byte is copied once, to its final place. Values of one width only, or bytes only.
 */
final class StagedBytes implements Staged {
  static final int LARGEST_CHUNK = 1 << 20;
  private static final int FIRST_CHUNK = 32;
  private static final byte[] ZEROS = new byte[4096];

  private final StagingArena arena;
  private final List<ByteBuffer> full = new ArrayList<>(0);
  private ByteBuffer last;
  private long fullBytes;

  StagedBytes(StagingArena arena) {
    this.arena = arena;
    this.last = arena.chunk(FIRST_CHUNK);
  }

  void putInt(int value) {
    if (last.remaining() < Integer.BYTES) {
      grow();
    }
    last.putInt(value);
  }

  void putLong(long value) {
    if (last.remaining() < Long.BYTES) {
      grow();
    }
    last.putLong(value);
  }

  void putByte(byte value) {
    if (!last.hasRemaining()) {
      grow();
    }
    last.put(value);
  }

  void put(byte[] source, int start, int count) {
    int from = start;
    int left = count;
    while (left > 0) {
      if (!last.hasRemaining()) {
        grow();
      }
      int some = Math.min(left, last.remaining());
      last.put(source, from, some);
      from += some;
      left -= some;
    }
  }

  /** New memory is not zeroed by the allocator, so zeros are written like anything else. */
  void putZeros(long count) {
    for (long left = count; left > 0; left -= ZEROS.length) {
      put(ZEROS, 0, (int) Math.min(left, ZEROS.length));
    }
  }

  private void grow() {
    if (length() > StagingArena.MAX_BATCH_BYTES) {
      throw StagingArena.tooLarge();
    }
    fullBytes += last.position();
    full.add(last.flip());
    last = arena.chunk(Math.min(LARGEST_CHUNK, last.capacity() * 2));
  }

  @Override
  public long length() {
    return fullBytes + last.position();
  }

  @Override
  public void copyTo(ArrowBuf target, long at) {
    long next = at;
    for (ByteBuffer chunk : full) {
      next = copy(chunk, target, next);
    }
    copy(last.duplicate().flip(), target, next);
  }

  private static long copy(ByteBuffer chunk, ArrowBuf target, long at) {
    int count = chunk.limit();
    target.setBytes(at, chunk.duplicate().position(0));
    return at + count;
  }
}
