package io.contextstore.generation;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.concurrent.ThreadLocalRandom;
import org.apache.arrow.memory.ArrowBuf;

/**
 * The hash of a key's UTF-8 bytes, the same for bytes on the heap and in an Arrow buffer. Seeded
 * per process, because keys are chosen by clients.
 */
final class KeyHash {
  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final long SEED = ThreadLocalRandom.current().nextLong();
  private static final long PRIME = 0x9E3779B97F4A7C15L;

  private KeyHash() {}

  static int of(byte[] key) {
    long hash = SEED ^ key.length;
    int at = 0;
    for (; at + Long.BYTES <= key.length; at += Long.BYTES) {
      hash = mix(hash, (long) LONGS.get(key, at));
    }
    long tail = 0;
    for (int shift = 0; at < key.length; at++, shift += Byte.SIZE) {
      tail |= (key[at] & 0xFFL) << shift;
    }
    return finish(mix(hash, tail));
  }

  static int of(ArrowBuf buffer, long start, int length) {
    long hash = SEED ^ length;
    int at = 0;
    for (; at + Long.BYTES <= length; at += Long.BYTES) {
      hash = mix(hash, buffer.getLong(start + at));
    }
    long tail = 0;
    for (int shift = 0; at < length; at++, shift += Byte.SIZE) {
      tail |= (buffer.getByte(start + at) & 0xFFL) << shift;
    }
    return finish(mix(hash, tail));
  }

  private static long mix(long hash, long word) {
    long mixed = (hash ^ word) * PRIME;
    return mixed ^ (mixed >>> 32);
  }

  private static int finish(long hash) {
    long mixed = hash * PRIME;
    return (int) (mixed >>> 32);
  }
}
