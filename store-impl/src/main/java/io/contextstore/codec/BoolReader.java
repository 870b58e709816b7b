package io.contextstore.codec;

import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;

/** {@code bool}: true and false, nothing that merely looks like them. */
final class BoolReader extends ValueReader {
  private final StagedBits values;

  BoolReader(StagingArena arena) {
    super(arena);
    this.values = new StagedBits(arena);
  }

  @Override
  void readValue(Cell cell) throws IOException {
    JsonToken token = cell.in().currentToken();
    if (token != JsonToken.VALUE_TRUE && token != JsonToken.VALUE_FALSE) {
      throw cell.expects("true or false");
    }
    values.append(token == JsonToken.VALUE_TRUE);
  }

  @Override
  void appendPlaceholder() {
    values.append(false);
  }

  @Override
  void addBuffers(BatchAssembler batch) {
    batch.addBuffer(values);
  }
}
