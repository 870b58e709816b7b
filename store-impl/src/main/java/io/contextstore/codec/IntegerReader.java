package io.contextstore.codec;

import com.fasterxml.jackson.core.JsonParser.NumberType;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;

/** {@code int32} and {@code int64}: JSON numbers without fraction and exponent, in range. */
final class IntegerReader extends ValueReader {
  private final StagedBytes values;
  private final boolean wide;

  private IntegerReader(StagingArena arena, boolean wide) {
    super(arena);
    this.values = new StagedBytes(arena);
    this.wide = wide;
  }

  static IntegerReader int32(StagingArena arena) {
    return new IntegerReader(arena, false);
  }

  static IntegerReader int64(StagingArena arena) {
    return new IntegerReader(arena, true);
  }

  @Override
  void readValue(Cell cell) throws IOException {
    if (wide) {
      values.putLong(integer(cell, "an integer", Long.MIN_VALUE, Long.MAX_VALUE));
    } else {
      values.putInt((int) integer(cell, "an integer", Integer.MIN_VALUE, Integer.MAX_VALUE));
    }
  }

  /**
   * The current value when it is an integer in range.
   *
   * @param what what the column expects, for the message
   */
  static long integer(Cell cell, String what, long least, long most) throws IOException {
    if (cell.in().currentToken() != JsonToken.VALUE_NUMBER_INT) {
      throw cell.expects(what);
    }
    if (cell.in().getNumberType() != NumberType.BIG_INTEGER) {
      long value = cell.in().getLongValue();
      if (value >= least && value <= most) {
        return value;
      }
    }
    throw cell.expects(what + " from " + least + " to " + most);
  }

  @Override
  void appendPlaceholder() {
    if (wide) {
      values.putLong(0);
    } else {
      values.putInt(0);
    }
  }

  @Override
  void addBuffers(BatchAssembler batch) {
    batch.addBuffer(values);
  }
}
