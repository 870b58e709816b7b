package io.contextstore.codec;

import com.fasterxml.jackson.core.JsonToken;
import io.contextstore.api.RowKey;
import java.io.IOException;

/** The {@code id} column: the rules of {@link RowKey}, on bytes and without making one a row. */
final class KeyReader extends TextReader {
  KeyReader(StagingArena arena) {
    super(arena, false);
  }

  @Override
  void readValue(Cell cell) throws IOException {
    // No char is less than a byte, so this is beyond the limit whatever the text is.
    if (cell.in().currentToken() == JsonToken.VALUE_STRING
        && cell.in().getTextLength() > RowKey.MAX_BYTES) {
      throw cell.refuse(wrongLength("more"));
    }
    super.readValue(cell);
  }

  @Override
  void check(Cell cell, byte[] utf8, int count) {
    if (count == 0 || count > RowKey.MAX_BYTES) {
      throw cell.refuse(wrongLength(Integer.toString(count)));
    }
    for (int i = 0; i < count; i++) {
      if (utf8[i] == 0) {
        throw cell.refuse("an id must not hold the character U+0000");
      }
    }
  }

  private static String wrongLength(String count) {
    return "an id has 1 to " + RowKey.MAX_BYTES + " bytes of UTF-8, this one has " + count;
  }
}
