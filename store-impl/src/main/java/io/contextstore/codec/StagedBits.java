package io.contextstore.codec;

import org.apache.arrow.memory.ArrowBuf;
import org.jspecify.annotations.Nullable;

/**
 * A bitmap that grows at its end. As long as all bits are set it is only a number: most columns of
 * most requests have no nulls.
 */
final class StagedBits implements Staged {
  private final StagingArena arena;
  private int count;
  private int zeros;
  private @Nullable StagedBytes words;
  private long word;

  StagedBits(StagingArena arena) {
    this.arena = arena;
  }

  int count() {
    return count;
  }

  int zeros() {
    return zeros;
  }

  void append(boolean bit) {
    if (bit) {
      if (words != null) {
        word |= 1L << count;
      }
    } else {
      if (words == null) {
        words = materialise();
      }
      zeros++;
    }
    count++;
    if (words != null && (count & 63) == 0) {
      words.putLong(word);
      word = 0;
    }
  }

  /** Appends set bits only. */
  void appendOnes(int more) {
    if (words == null) {
      count = Math.addExact(count, more);
      return;
    }
    for (int i = 0; i < more; i++) {
      append(true);
    }
  }

  private StagedBytes materialise() {
    StagedBytes bytes = new StagedBytes(arena);
    for (int full = count >>> 6; full > 0; full--) {
      bytes.putLong(-1L);
    }
    word = (1L << count) - 1; // The shift takes the count modulo 64: what the full words lack.
    return bytes;
  }

  @Override
  public long length() {
    return wholeWords(count) * Long.BYTES;
  }

  private static long wholeWords(int bits) {
    return (bits + 63L) >>> 6;
  }

  @Override
  public void copyTo(ArrowBuf target, long at) {
    long next = at;
    long tail = word;
    if (words != null) {
      words.copyTo(target, at);
      next += words.length();
    } else {
      for (int full = count >>> 6; full > 0; full--) {
        target.setLong(next, -1L);
        next += Long.BYTES;
      }
      tail = (1L << count) - 1;
    }
    if ((count & 63) != 0) {
      target.setLong(next, tail);
    }
  }
}
