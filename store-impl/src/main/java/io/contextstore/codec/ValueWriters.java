package io.contextstore.codec;

import com.fasterxml.jackson.core.Base64Variants;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.vector.BaseLargeVariableWidthVector;
import org.apache.arrow.vector.BigIntVector;
import org.apache.arrow.vector.BitVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.Float4Vector;
import org.apache.arrow.vector.Float8Vector;
import org.apache.arrow.vector.IntVector;
import org.apache.arrow.vector.LargeVarBinaryVector;
import org.apache.arrow.vector.LargeVarCharVector;
import org.apache.arrow.vector.TimeStampMicroTZVector;
import org.apache.arrow.vector.TimeStampMicroVector;
import org.apache.arrow.vector.TimeStampVector;
import org.apache.arrow.vector.VarBinaryVector;
import org.apache.arrow.vector.VarCharVector;
import org.apache.arrow.vector.complex.FixedSizeListVector;
import org.apache.arrow.vector.complex.LargeListVector;
import org.apache.arrow.vector.complex.ListVector;

/**
 * The writer for each kind of vector. It goes by the vector and not by the declared type, because a
 * scan may deliver the other width of offsets.
 */
final class ValueWriters {
  private ValueWriters() {}

  static ValueWriter of(FieldVector vector, Scratch scratch) {
    return switch (vector) {
      case VarCharVector text -> new NarrowText(text, scratch);
      case LargeVarCharVector text -> new LargeText(text, scratch);
      case IntVector ints -> new Ints(ints);
      case BigIntVector longs -> new Longs(longs);
      case Float4Vector floats -> new Floats(floats);
      case Float8Vector doubles -> new Doubles(doubles);
      case BitVector bits -> new Bools(bits);
      case TimeStampMicroVector times -> new Times(times);
      case TimeStampMicroTZVector times -> new Times(times);
      case VarBinaryVector bytes -> new NarrowBytes(bytes, scratch);
      case LargeVarBinaryVector bytes -> new LargeBytes(bytes, scratch);
      case FixedSizeListVector list -> new FixedLists(list, of(list.getDataVector(), scratch));
      case ListVector list -> new Lists(list, of(list.getDataVector(), scratch));
      case LargeListVector list -> new LargeLists(list, of(list.getDataVector(), scratch));
      default ->
          throw new IllegalArgumentException("no JSON form for a vector of " + vector.getField());
    };
  }

  private record Ints(IntVector vector) implements ValueWriter {
    @Override
    public void write(JsonGenerator out, int index) throws IOException {
      out.writeNumber(vector.get(index));
    }
  }

  private record Longs(BigIntVector vector) implements ValueWriter {
    @Override
    public void write(JsonGenerator out, int index) throws IOException {
      out.writeNumber(vector.get(index));
    }
  }

  private record Times(TimeStampVector vector) implements ValueWriter {
    @Override
    public void write(JsonGenerator out, int index) throws IOException {
      out.writeNumber(vector.get(index));
    }
  }

  private record Floats(Float4Vector vector) implements ValueWriter {
    @Override
    public void write(JsonGenerator out, int index) throws IOException {
      float value = vector.get(index);
      if (Float.isFinite(value)) {
        out.writeNumber(value); // As a float: widened to double, 0.1 would grow digits.
      } else {
        out.writeNull();
      }
    }
  }

  private record Doubles(Float8Vector vector) implements ValueWriter {
    @Override
    public void write(JsonGenerator out, int index) throws IOException {
      double value = vector.get(index);
      if (Double.isFinite(value)) {
        out.writeNumber(value);
      } else {
        out.writeNull();
      }
    }
  }

  private record Bools(BitVector vector) implements ValueWriter {
    @Override
    public void write(JsonGenerator out, int index) throws IOException {
      out.writeBoolean(vector.get(index) == 1);
    }
  }

  private record NarrowText(VarCharVector vector, Scratch scratch) implements ValueWriter {
    @Override
    public void write(JsonGenerator out, int index) throws IOException {
      writeText(
          out,
          vector.getDataBuffer(),
          vector.getStartOffset(index),
          vector.getValueLength(index),
          scratch);
    }
  }

  private record LargeText(LargeVarCharVector vector, Scratch scratch) implements ValueWriter {
    @Override
    public void write(JsonGenerator out, int index) throws IOException {
      long start = offset(vector, index);
      int length = Math.toIntExact(offset(vector, index + 1) - start);
      writeText(out, vector.getDataBuffer(), start, length, scratch);
    }
  }

  private record NarrowBytes(VarBinaryVector vector, Scratch scratch) implements ValueWriter {
    @Override
    public void write(JsonGenerator out, int index) throws IOException {
      writeBase64(
          out,
          vector.getDataBuffer(),
          vector.getStartOffset(index),
          vector.getValueLength(index),
          scratch);
    }
  }

  private record LargeBytes(LargeVarBinaryVector vector, Scratch scratch) implements ValueWriter {
    @Override
    public void write(JsonGenerator out, int index) throws IOException {
      long start = offset(vector, index);
      int length = Math.toIntExact(offset(vector, index + 1) - start);
      writeBase64(out, vector.getDataBuffer(), start, length, scratch);
    }
  }

  private record FixedLists(FixedSizeListVector vector, ValueWriter items) implements ValueWriter {
    @Override
    public void write(JsonGenerator out, int index) throws IOException {
      writeItems(out, items, vector.getElementStartIndex(index), vector.getElementEndIndex(index));
    }
  }

  private record Lists(ListVector vector, ValueWriter items) implements ValueWriter {
    @Override
    public void write(JsonGenerator out, int index) throws IOException {
      writeItems(out, items, vector.getElementStartIndex(index), vector.getElementEndIndex(index));
    }
  }

  private record LargeLists(LargeListVector vector, ValueWriter items) implements ValueWriter {
    @Override
    public void write(JsonGenerator out, int index) throws IOException {
      writeItems(
          out,
          items,
          Math.toIntExact(vector.getElementStartIndex(index)),
          Math.toIntExact(vector.getElementEndIndex(index)));
    }
  }

  private static long offset(BaseLargeVariableWidthVector vector, int index) {
    return vector.getOffsetBuffer().getLong((long) index * Long.BYTES);
  }

  private static void writeItems(JsonGenerator out, ValueWriter items, int from, int to)
      throws IOException {
    out.writeStartArray();
    for (int i = from; i < to; i++) {
      if (items.isNull(i)) {
        out.writeNull();
      } else {
        items.write(out, i);
      }
    }
    out.writeEndArray();
  }

  /** The column's UTF-8 goes out as it is, but for JSON's escapes; no string is made of it. */
  private static void writeText(
      JsonGenerator out, ArrowBuf data, long start, int length, Scratch scratch)
      throws IOException {
    byte[] bytes = scratch.atLeast(length);
    data.getBytes(start, bytes, 0, length);
    out.writeUTF8String(bytes, 0, length);
  }

  private static void writeBase64(
      JsonGenerator out, ArrowBuf data, long start, int length, Scratch scratch)
      throws IOException {
    byte[] bytes = scratch.atLeast(length);
    data.getBytes(start, bytes, 0, length);
    out.writeBinary(Base64Variants.MIME_NO_LINEFEEDS, bytes, 0, length);
  }
}
