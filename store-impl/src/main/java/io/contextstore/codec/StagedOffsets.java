package io.contextstore.codec;

import org.apache.arrow.memory.ArrowBuf;

/** The offsets buffer of texts, bytes and lists: where each value ends, and 0 at first. */
final class StagedOffsets implements Staged {
  private final StagedBytes ends;
  private final boolean wide;

  private StagedOffsets(StagingArena arena, boolean wide) {
    this.ends = new StagedBytes(arena);
    this.wide = wide;
    add(0);
  }

  /** 32-bit offsets. */
  static StagedOffsets narrow(StagingArena arena) {
    return new StagedOffsets(arena, false);
  }

  /** 64-bit offsets. */
  static StagedOffsets wide(StagingArena arena) {
    return new StagedOffsets(arena, true);
  }

  void add(long end) {
    if (wide) {
      ends.putLong(end);
    } else if (end <= Integer.MAX_VALUE) {
      ends.putInt((int) end);
    } else {
      throw StagingArena.tooLarge();
    }
  }

  @Override
  public long length() {
    return ends.length();
  }

  @Override
  public void copyTo(ArrowBuf target, long at) {
    ends.copyTo(target, at);
  }
}
