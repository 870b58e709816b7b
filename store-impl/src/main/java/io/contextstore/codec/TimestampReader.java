package io.contextstore.codec;

import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;

/** {@code timestamp}: whole microseconds, or a text of RFC 3339. */
final class TimestampReader extends ValueReader {
  private static final String EXPECTED = "integer microseconds or an RFC 3339 text";

  private final StagedBytes values;

  TimestampReader(StagingArena arena) {
    super(arena);
    this.values = new StagedBytes(arena);
  }

  @Override
  void readValue(Cell cell) throws IOException {
    if (cell.in().currentToken() == JsonToken.VALUE_STRING) {
      values.putLong(text(cell));
    } else {
      values.putLong(IntegerReader.integer(cell, EXPECTED, Long.MIN_VALUE, Long.MAX_VALUE));
    }
  }

  private static long text(Cell cell) throws IOException {
    char[] chars = cell.in().getTextCharacters();
    long micros = Rfc3339.micros(chars, cell.in().getTextOffset(), cell.in().getTextLength());
    if (micros == Rfc3339.INVALID) {
      throw cell.expects(EXPECTED);
    }
    return micros;
  }

  @Override
  void appendPlaceholder() {
    values.putLong(0);
  }

  @Override
  void addBuffers(BatchAssembler batch) {
    batch.addBuffer(values);
  }
}
