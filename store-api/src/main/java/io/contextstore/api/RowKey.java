package io.contextstore.api;

import io.contextstore.api.error.InvalidRequestException;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * The key of a row, the value of its {@code id} column: 1 to 1024 bytes of UTF-8, without U+0000
 * and without lone surrogates.
 */
public final class RowKey {
  /** The longest key, in bytes of UTF-8. */
  public static final int MAX_BYTES = 1024;

  private final String text;
  private final byte[] utf8;

  private RowKey(String text, byte[] utf8) {
    this.text = text;
    this.utf8 = utf8;
  }

  /** Returns the key for {@code text}, or throws {@link InvalidRequestException}. */
  public static RowKey of(String text) {
    if (text.length() > MAX_BYTES) { // No character has less than a byte: not worth encoding.
      throw wrongLength("more");
    }
    byte[] utf8;
    try {
      ByteBuffer encoded =
          StandardCharsets.UTF_8
              .newEncoder()
              .onMalformedInput(CodingErrorAction.REPORT)
              .encode(CharBuffer.wrap(text));
      utf8 = new byte[encoded.remaining()];
      encoded.get(utf8);
    } catch (CharacterCodingException e) {
      throw new InvalidRequestException("an id must not hold a lone surrogate", e);
    }
    if (utf8.length == 0 || utf8.length > MAX_BYTES) {
      throw wrongLength(Integer.toString(utf8.length));
    }
    if (text.indexOf('\0') >= 0) {
      throw new InvalidRequestException("an id must not hold the character U+0000");
    }
    return new RowKey(text, utf8);
  }

  private static InvalidRequestException wrongLength(String bytes) {
    return new InvalidRequestException(
        "an id has 1 to " + MAX_BYTES + " bytes of UTF-8, this one has " + bytes);
  }

  /** The key as text. */
  public String text() {
    return text;
  }

  /** The key's UTF-8 bytes, a copy. */
  public byte[] utf8() {
    return utf8.clone();
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof RowKey key && Arrays.equals(utf8, key.utf8);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(utf8);
  }

  @Override
  public String toString() {
    return text;
  }
}
