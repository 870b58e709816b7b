package io.contextstore.codec;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import org.apache.arrow.vector.FieldVector;

/** Writes the values of one vector as JSON. */
interface ValueWriter {
  /** The vector. */
  FieldVector vector();

  /** Whether the value at that index is null. */
  default boolean isNull(int index) {
    return vector().isNull(index);
  }

  /** Writes the value at that index, which is not null. */
  void write(JsonGenerator out, int index) throws IOException;
}
