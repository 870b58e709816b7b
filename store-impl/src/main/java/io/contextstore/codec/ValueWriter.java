package io.contextstore.codec;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;

/** Writes the values of one vector as JSON. */
interface ValueWriter {
  /** Whether the value at that index is null. */
  boolean isNull(int index);

  /** Writes the value at that index, which is not null. */
  void write(JsonGenerator out, int index) throws IOException;
}
