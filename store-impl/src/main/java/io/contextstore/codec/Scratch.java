package io.contextstore.codec;

/** Working memory that is kept from value to value unless one was huge. For one thread. */
final class Scratch {
  private static final int KEPT = 1 << 20;

  private byte[] bytes = new byte[256];

  /** At least {@code size} bytes, content undefined, valid until the next call. */
  byte[] atLeast(int size) {
    if (bytes.length >= size) {
      return bytes;
    }
    byte[] larger = new byte[Math.max(size, (int) Math.min(KEPT, bytes.length * 2L))];
    if (larger.length <= KEPT) {
      bytes = larger;
    }
    return larger;
  }
}
