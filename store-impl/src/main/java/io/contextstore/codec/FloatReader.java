package io.contextstore.codec;

import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;

/**
 * {@code float32} and {@code float64}: any JSON number, rounded once to the nearest value of the
 * type. A number beyond the type's range is refused, because it would come back as infinity; one
 * below its smallest becomes zero.
 */
final class FloatReader extends ValueReader {
  private final StagedBytes values;
  private final boolean wide;

  private FloatReader(StagingArena arena, boolean wide) {
    super(arena);
    this.values = new StagedBytes(arena);
    this.wide = wide;
  }

  static FloatReader float32(StagingArena arena) {
    return new FloatReader(arena, false);
  }

  static FloatReader float64(StagingArena arena) {
    return new FloatReader(arena, true);
  }

  @Override
  void readValue(Cell cell) throws IOException {
    if (wide) {
      values.putLong(Double.doubleToRawLongBits(float64(cell)));
    } else {
      values.putInt(Float.floatToRawIntBits(float32(cell)));
    }
  }

  /** The current value as single precision; not by way of double, which would round twice. */
  static float float32(Cell cell) throws IOException {
    requireNumber(cell);
    float value = cell.in().getFloatValue();
    if (Float.isInfinite(value)) {
      throw cell.expects("a number within the range of float32");
    }
    return value;
  }

  private static double float64(Cell cell) throws IOException {
    requireNumber(cell);
    double value = cell.in().getDoubleValue();
    if (Double.isInfinite(value)) {
      throw cell.expects("a number within the range of float64");
    }
    return value;
  }

  private static void requireNumber(Cell cell) throws IOException {
    JsonToken token = cell.in().currentToken();
    if (token != JsonToken.VALUE_NUMBER_FLOAT && token != JsonToken.VALUE_NUMBER_INT) {
      throw cell.expects("a number");
    }
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
