package io.contextstore.codec;

import java.io.IOException;

/**
 * Collects the values of one vector in the order of the rows: reads the value at which the parser
 * stands, checks it against the column's type, and appends it.
 *
 * <p>A reader belongs to one request and one thread. It never has to undo anything: a value that is
 * refused ends the request.
 */
abstract class ValueReader {
  private final StagedBits validity;

  ValueReader(StagingArena arena) {
    this.validity = new StagedBits(arena);
  }

  /** Appends the parser's current value, which is not null; leaves the parser at its last token. */
  final void read(Cell cell) throws IOException {
    readValue(cell);
    validity.append(true);
  }

  /** Appends a null. */
  final void appendNull() {
    appendPlaceholder();
    validity.append(false);
  }

  /** The number of values so far. */
  final int count() {
    return validity.count();
  }

  /** Hands the finished vector on. */
  final void addTo(BatchAssembler batch) {
    batch.addNode(validity.count(), validity.zeros());
    batch.addBuffer(validity);
    addBuffers(batch);
  }

  abstract void readValue(Cell cell) throws IOException;

  /** What stands in the buffers where a null is. */
  abstract void appendPlaceholder();

  /** Adds the buffers behind the validity bitmap, then the children. */
  abstract void addBuffers(BatchAssembler batch);
}
