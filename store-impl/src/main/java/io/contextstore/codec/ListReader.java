package io.contextstore.codec;

import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;

/** {@code list}: an array of values of the item's type, nulls among them. */
final class ListReader extends ValueReader {
  private final ValueReader items;
  private final StagedOffsets offsets;

  ListReader(StagingArena arena, ValueReader items) {
    super(arena);
    this.items = items;
    this.offsets = StagedOffsets.narrow(arena);
  }

  @Override
  void readValue(Cell cell) throws IOException {
    if (cell.in().currentToken() != JsonToken.START_ARRAY) {
      throw cell.expects("an array");
    }
    JsonToken token;
    for (int i = 0; (token = cell.in().nextToken()) != JsonToken.END_ARRAY; i++) {
      if (token == JsonToken.VALUE_NULL) {
        items.appendNull();
      } else {
        cell.atItem(i);
        items.read(cell);
      }
    }
    cell.leaveItems();
    offsets.add(items.count());
  }

  @Override
  void appendPlaceholder() {
    offsets.add(items.count());
  }

  @Override
  void addBuffers(BatchAssembler batch) {
    batch.addBuffer(offsets);
    items.addTo(batch);
  }
}
