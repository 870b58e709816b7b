package io.contextstore.codec;

import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;

/**
 * {@code vector}: an array of exactly as many numbers as the column has dimensions. The numbers are
 * never null, and where the whole vector is null they are zeros, because not every reader of the
 * table can take null items there.
 */
final class VectorReader extends ValueReader {
  private final StagedBytes numbers;
  private final StagedBits present;
  private final int dim;

  VectorReader(StagingArena arena, int dim) {
    super(arena);
    this.numbers = new StagedBytes(arena);
    this.present = new StagedBits(arena);
    this.dim = dim;
  }

  @Override
  void readValue(Cell cell) throws IOException {
    if (cell.in().currentToken() != JsonToken.START_ARRAY) {
      throw cell.expects(expected());
    }
    int count = 0;
    for (; cell.in().nextToken() != JsonToken.END_ARRAY; count++) {
      if (count == dim) {
        cell.leaveItems();
        throw cell.expects(expected(), "more");
      }
      cell.atItem(count);
      numbers.putInt(Float.floatToRawIntBits(FloatReader.float32(cell)));
    }
    cell.leaveItems();
    if (count != dim) {
      throw cell.expects(expected(), Integer.toString(count));
    }
    present.appendOnes(dim);
  }

  private String expected() {
    return "an array of exactly " + dim + (dim == 1 ? " number" : " numbers");
  }

  @Override
  void appendPlaceholder() {
    numbers.putZeros((long) dim * Float.BYTES);
    present.appendOnes(dim);
  }

  @Override
  void addBuffers(BatchAssembler batch) {
    batch.addNode(present.count(), 0);
    batch.addBuffer(present);
    batch.addBuffer(numbers);
  }
}
