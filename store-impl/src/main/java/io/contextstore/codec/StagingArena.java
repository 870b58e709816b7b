package io.contextstore.codec;

import io.contextstore.api.error.TooLargeException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;

/**
 * The memory in which one request's values are gathered before their final size is known. Chunks
 * are carved from a few blocks of the request's allocator, so that its limit holds from the first
 * value on, and one {@link #close} gives everything back however the request ends.
 *
 * <p>For one thread. Chunks are valid until {@link #close}.
 */
final class StagingArena implements AutoCloseable {
  /** A batch is at most this large, in memory and as an IPC body. */
  static final long MAX_BATCH_BYTES = Integer.MAX_VALUE;

  /** What a batch of that size can need while it is gathered: itself and half-filled chunks. */
  private static final long MAX_BYTES = MAX_BATCH_BYTES + (MAX_BATCH_BYTES >> 1);

  private static final int FIRST_BLOCK = 1 << 10;
  private static final int LARGEST_BLOCK = 1 << 22;

  private final BufferAllocator allocator;
  private final List<ArrowBuf> blocks = new ArrayList<>();
  private ByteBuffer block = ByteBuffer.allocate(0);
  private int nextBlock;
  private long total;

  /**
   * Allocates nothing yet.
   *
   * @param firstBytes how much the smallest request will need, a guess
   */
  StagingArena(BufferAllocator allocator, int firstBytes) {
    this.allocator = allocator;
    this.nextBlock = Math.clamp(firstBytes, FIRST_BLOCK, LARGEST_BLOCK);
  }

  /**
   * A chunk of exactly {@code size} bytes, little-endian, content undefined.
   *
   * @param size a multiple of 8, at most {@link StagedBytes#LARGEST_CHUNK}
   */
  ByteBuffer chunk(int size) {
    if (block.remaining() < size) {
      openBlock(size);
    }
    ByteBuffer chunk = block.slice(block.position(), size).order(ByteOrder.LITTLE_ENDIAN);
    block.position(block.position() + size);
    return chunk;
  }

  private void openBlock(int atLeast) {
    int size = Math.max(nextBlock, atLeast);
    if (total + size > MAX_BYTES) {
      throw tooLarge();
    }
    ArrowBuf memory = allocator.buffer(size);
    blocks.add(memory);
    total += size;
    block = memory.nioBuffer(0, size);
    nextBlock = Math.min(LARGEST_BLOCK, nextBlock * 2);
  }

  static TooLargeException tooLarge() {
    return new TooLargeException(
        "the rows of one request take more than 2 GiB in memory; send fewer at a time");
  }

  @Override
  public void close() {
    blocks.forEach(ArrowBuf::close);
    blocks.clear();
  }
}
