package io.contextstore.codec;

import com.fasterxml.jackson.core.Base64Variant;
import com.fasterxml.jackson.core.Base64Variant.PaddingReadBehaviour;
import com.fasterxml.jackson.core.Base64Variants;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.io.OutputStream;

/**
 * {@code binary}: base64 of the standard alphabet with or without padding, white space passed over,
 * or an array of integers from 0 to 255. The URL-safe alphabet is refused: the contract names one
 * alphabet, and a client that mixes the two up should learn it before its data is stored.
 *
 * <p>Base64 goes from the parser's input to the column in small pieces, so that a payload of a
 * gigabyte is never text in memory.
 */
final class BinaryReader extends ValueReader {
  private static final Base64Variant BASE64 =
      Base64Variants.MIME_NO_LINEFEEDS.withReadPadding(PaddingReadBehaviour.PADDING_ALLOWED);

  private final StagedBytes bytes;
  private final StagedOffsets offsets;
  private final OutputStream sink;

  BinaryReader(StagingArena arena) {
    super(arena);
    this.bytes = new StagedBytes(arena);
    this.offsets = StagedOffsets.wide(arena);
    this.sink = new Sink();
  }

  @Override
  void readValue(Cell cell) throws IOException {
    switch (cell.in().currentToken()) {
      case VALUE_STRING -> readText(cell);
      case START_ARRAY -> readArray(cell);
      default -> throw cell.expects("base64 text or an array of integers from 0 to 255");
    }
    offsets.add(bytes.length());
  }

  private void readText(Cell cell) throws IOException {
    try {
      cell.in().readBinaryValue(BASE64, sink);
    } catch (IllegalArgumentException e) {
      throw cell.refuse("the text is not base64 of the standard alphabet", e);
    }
  }

  private void readArray(Cell cell) throws IOException {
    for (int i = 0; cell.in().nextToken() != JsonToken.END_ARRAY; i++) {
      cell.atItem(i);
      bytes.putByte((byte) IntegerReader.integer(cell, "an integer", 0, 255));
    }
    cell.leaveItems();
  }

  @Override
  void appendPlaceholder() {
    offsets.add(bytes.length());
  }

  @Override
  void addBuffers(BatchAssembler batch) {
    batch.addBuffer(offsets);
    batch.addBuffer(bytes);
  }

  /** Where the parser puts what it has decoded. */
  private final class Sink extends OutputStream {
    @Override
    public void write(int b) {
      bytes.putByte((byte) b);
    }

    @Override
    public void write(byte[] source, int start, int count) {
      bytes.put(source, start, count);
    }
  }
}
