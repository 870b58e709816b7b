package io.contextstore.codec;

import java.util.Iterator;
import java.util.List;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.vector.ipc.message.ArrowFieldNode;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.Schema;

/**
 * Whether buffers can be vectors of a schema: as many as it needs, each long enough for its vector,
 * offsets that never fall and never leave their data. Vectors trust all that without looking. One
 * pass, for one batch.
 */
final class BatchCheck {
  private final int rows;
  private final Iterator<ArrowFieldNode> nodes;
  private final Iterator<ArrowBuf> buffers;

  BatchCheck(BatchLayout layout, List<ArrowBuf> slices) {
    this.rows = layout.rows();
    this.nodes = layout.nodes().iterator();
    this.buffers = slices.iterator();
  }

  void check(Schema schema) throws MalformedBatchException {
    for (Field field : schema.getFields()) {
      checkVector(field, rows);
    }
    if (nodes.hasNext() || buffers.hasNext()) {
      throw new MalformedBatchException("the batch has more vectors than the schema");
    }
  }

  /** Checks a vector that must have {@code expected} values, or at least so many if a child. */
  private void checkVector(Field field, long expected) throws MalformedBatchException {
    if (!nodes.hasNext()) {
      throw new MalformedBatchException("the batch has fewer vectors than the schema");
    }
    ArrowFieldNode node = nodes.next();
    long count = node.getLength();
    if (count < expected
        || node.getNullCount() > count
        || (node.getNullCount() > 0 && !field.isNullable())) {
      throw damaged(field);
    }
    checkValidity(field, node);
    switch (field.getType()) {
      case ArrowType.Utf8 _text -> checkOffsets(field, count, Integer.BYTES, next(field));
      case ArrowType.LargeUtf8 _text -> checkOffsets(field, count, Long.BYTES, next(field));
      case ArrowType.LargeBinary _bytes -> checkOffsets(field, count, Long.BYTES, next(field));
      case ArrowType.Int type -> require(field, next(field), count * (type.getBitWidth() / 8));
      case ArrowType.FloatingPoint type -> require(field, next(field), count * width(type));
      case ArrowType.Timestamp _time -> require(field, next(field), count * Long.BYTES);
      case ArrowType.Bool _bool -> require(field, next(field), bitmap(count));
      case ArrowType.FixedSizeList type ->
          checkVector(field.getChildren().getFirst(), count * type.getListSize());
      case ArrowType.List _list -> checkList(field, count);
      default -> throw new IllegalArgumentException("not a type of a store: " + field);
    }
  }

  /** Without nulls the bitmap may be left out. */
  private void checkValidity(Field field, ArrowFieldNode node) throws MalformedBatchException {
    ArrowBuf validity = next(field);
    if (validity.capacity() > 0 || node.getNullCount() > 0) {
      require(field, validity, bitmap(node.getLength()));
    }
  }

  private void checkOffsets(Field field, long count, int width, ArrowBuf offsets)
      throws MalformedBatchException {
    long end = lastOffset(field, count, width, offsets);
    require(field, next(field), end);
  }

  private void checkList(Field field, long count) throws MalformedBatchException {
    long end = lastOffset(field, count, Integer.BYTES, next(field));
    checkVector(field.getChildren().getFirst(), end);
  }

  private static long lastOffset(Field field, long count, int width, ArrowBuf offsets)
      throws MalformedBatchException {
    if (count == 0 && offsets.capacity() == 0) {
      return 0; // What Arrow writes for a vector without values.
    }
    require(field, offsets, (count + 1) * width);
    long last = 0;
    for (long i = 0; i <= count; i++) {
      long offset = width == Integer.BYTES ? offsets.getInt(i * width) : offsets.getLong(i * width);
      if (offset < last) {
        throw damaged(field);
      }
      last = offset;
    }
    return last;
  }

  private ArrowBuf next(Field field) throws MalformedBatchException {
    if (!buffers.hasNext()) {
      throw damaged(field);
    }
    return buffers.next();
  }

  private static void require(Field field, ArrowBuf buffer, long bytes)
      throws MalformedBatchException {
    if (buffer.capacity() < bytes) {
      throw damaged(field);
    }
  }

  private static long bitmap(long bits) {
    return (bits + 7) / 8;
  }

  private static int width(ArrowType.FloatingPoint type) {
    return switch (type.getPrecision()) {
      case HALF -> Short.BYTES;
      case SINGLE -> Float.BYTES;
      case DOUBLE -> Double.BYTES;
    };
  }

  private static MalformedBatchException damaged(Field field) {
    return new MalformedBatchException(
        "column '" + field.getName() + "' of the batch does not fit its buffers");
  }
}
