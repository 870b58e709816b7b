package io.contextstore.codec;

/** UTF-8 of a stretch of an array of characters, into an array that is there already. */
final class Utf8 {
  /** The text holds half of a surrogate pair alone. */
  static final int LONE_SURROGATE = -1;

  /** The most bytes that one {@code char} becomes. */
  static final int MAX_BYTES_A_CHAR = 3;

  private Utf8() {}

  /**
   * Encodes {@code text[start, start + length)} to the beginning of {@code target}.
   *
   * @param target at least {@link #MAX_BYTES_A_CHAR} times as long
   * @return the number of bytes, or {@link #LONE_SURROGATE}
   */
  static int encode(char[] text, int start, int length, byte[] target) {
    int end = start + length;
    int from = start;
    int to = 0;
    while (from < end && text[from] < 0x80) {
      target[to++] = (byte) text[from++];
    }
    while (from < end) {
      char c = text[from++];
      if (c < 0x80) {
        target[to++] = (byte) c;
      } else if (c < 0x800) {
        target[to++] = (byte) (0xC0 | (c >> 6));
        target[to++] = (byte) (0x80 | (c & 0x3F));
      } else if (!Character.isSurrogate(c)) {
        target[to++] = (byte) (0xE0 | (c >> 12));
        target[to++] = (byte) (0x80 | ((c >> 6) & 0x3F));
        target[to++] = (byte) (0x80 | (c & 0x3F));
      } else {
        if (from == end || !Character.isSurrogatePair(c, text[from])) {
          return LONE_SURROGATE;
        }
        int point = Character.toCodePoint(c, text[from++]);
        target[to++] = (byte) (0xF0 | (point >> 18));
        target[to++] = (byte) (0x80 | ((point >> 12) & 0x3F));
        target[to++] = (byte) (0x80 | ((point >> 6) & 0x3F));
        target[to++] = (byte) (0x80 | (point & 0x3F));
      }
    }
    return to;
  }
}
