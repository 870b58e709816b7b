package io.contextstore.codec;

import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.io.Writer;

/**
 * {@code string}: any text without lone surrogates, which UTF-8 cannot hold. U+0000 is text like
 * any other; only ids must not have it.
 */
class TextReader extends ValueReader {
  /** Texts above this length are taken from the parser in pieces, not as one array. */
  private static final int PIECE = 8192;

  private static final String LONE_SURROGATE = "the text holds a lone surrogate";

  private final StagedBytes bytes;
  private final StagedOffsets offsets;

  TextReader(StagingArena arena, boolean large) {
    super(arena);
    this.bytes = new StagedBytes(arena);
    this.offsets = large ? StagedOffsets.wide(arena) : StagedOffsets.narrow(arena);
  }

  @Override
  void readValue(Cell cell) throws IOException {
    if (cell.in().currentToken() != JsonToken.VALUE_STRING) {
      throw cell.expects("a string");
    }
    int length = cell.in().getTextLength();
    if (length <= PIECE) {
      encode(cell, cell.in().getTextCharacters(), cell.in().getTextOffset(), length);
    } else {
      readInPieces(cell);
    }
    offsets.add(bytes.length());
  }

  private void readInPieces(Cell cell) throws IOException {
    try (Pieces pieces = new Pieces(cell)) {
      cell.in().getText(pieces);
    }
  }

  private void encode(Cell cell, char[] text, int start, int length) {
    byte[] utf8 = cell.scratch(length * Utf8.MAX_BYTES_A_CHAR);
    int count = Utf8.encode(text, start, length, utf8);
    if (count == Utf8.LONE_SURROGATE) {
      throw cell.refuse(LONE_SURROGATE);
    }
    check(cell, utf8, count);
    bytes.put(utf8, 0, count);
  }

  /** Further rules for a text that is not longer than a piece. */
  void check(Cell cell, byte[] utf8, int count) {}

  @Override
  void appendPlaceholder() {
    offsets.add(bytes.length());
  }

  @Override
  void addBuffers(BatchAssembler batch) {
    batch.addBuffer(offsets);
    batch.addBuffer(bytes);
  }

  /** Takes a long text piece by piece; the halves of a pair may come apart. */
  private final class Pieces extends Writer {
    private final Cell cell;
    private final char[] pair = new char[2];
    private boolean half;

    Pieces(Cell cell) {
      this.cell = cell;
    }

    @Override
    public void write(char[] text, int start, int length) {
      int from = start;
      int end = start + length;
      if (half && from < end) {
        half = false;
        pair[1] = text[from++];
        encode(cell, pair, 0, 2);
      }
      while (from < end) {
        int some = Math.min(end - from, PIECE);
        if (Character.isHighSurrogate(text[from + some - 1])) {
          some--;
        }
        if (some == 0) { // The very last character: its other half comes with the next piece.
          pair[0] = text[from];
          half = true;
          return;
        }
        encode(cell, text, from, some);
        from += some;
      }
    }

    @Override
    public void flush() {}

    @Override
    public void close() {
      if (half) {
        throw cell.refuse(LONE_SURROGATE);
      }
    }
  }
}
