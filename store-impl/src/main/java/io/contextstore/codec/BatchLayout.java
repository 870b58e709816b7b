package io.contextstore.codec;

import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.flatbuf.Buffer;
import org.apache.arrow.flatbuf.FieldNode;
import org.apache.arrow.flatbuf.Message;
import org.apache.arrow.flatbuf.MessageHeader;
import org.apache.arrow.flatbuf.RecordBatch;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.vector.ipc.message.ArrowFieldNode;

/**
 * What the metadata of a message says about its body, checked against the size of the body and
 * nothing else yet.
 *
 * @param rows the number of rows
 * @param nodes length and null count of every vector, in IPC order
 * @param places where each buffer lies in the body, in IPC order
 */
record BatchLayout(int rows, List<ArrowFieldNode> nodes, List<Place> places) {
  /** A stretch of the body. */
  record Place(long offset, long length) {}

  /**
   * Reads the metadata.
   *
   * @throws IndexOutOfBoundsException the flatbuffer points outside itself
   */
  static BatchLayout read(Message message, int bodyBytes) throws MalformedBatchException {
    if (message.headerType() != MessageHeader.RecordBatch
        || !(message.header(new RecordBatch()) instanceof RecordBatch batch)) {
      throw new MalformedBatchException("the message is not a record batch");
    }
    if (batch.compression() != null || batch.variadicBufferCountsLength() != 0) {
      throw new MalformedBatchException("the batch is compressed or has view vectors");
    }
    if (message.bodyLength() != bodyBytes) {
      throw new MalformedBatchException(
          "the batch has " + bodyBytes + " bytes of body instead of " + message.bodyLength());
    }
    return new BatchLayout(count(batch.length()), nodes(batch), places(batch, bodyBytes));
  }

  private static List<ArrowFieldNode> nodes(RecordBatch batch) throws MalformedBatchException {
    List<ArrowFieldNode> nodes = new ArrayList<>();
    for (int i = 0; i < batch.nodesLength(); i++) {
      FieldNode node = batch.nodes(i);
      nodes.add(new ArrowFieldNode(count(node.length()), count(node.nullCount())));
    }
    return nodes;
  }

  private static List<Place> places(RecordBatch batch, int bodyBytes)
      throws MalformedBatchException {
    List<Place> places = new ArrayList<>();
    for (int i = 0; i < batch.buffersLength(); i++) {
      Buffer buffer = batch.buffers(i);
      Place place = new Place(buffer.offset(), buffer.length());
      if (place.offset() < 0
          || place.offset() % 8 != 0
          || place.length() < 0
          || place.offset() > bodyBytes
          || place.length() > bodyBytes - place.offset()) {
        throw new MalformedBatchException("a buffer of the batch lies outside its body: " + place);
      }
      places.add(place);
    }
    return places;
  }

  private static int count(long value) throws MalformedBatchException {
    if (value < 0 || value > Integer.MAX_VALUE) {
      throw new MalformedBatchException("a batch has a count of " + value);
    }
    return (int) value;
  }

  /** The buffers, as slices of the body. */
  List<ArrowBuf> slices(ArrowBuf body) {
    return places.stream().map(p -> body.slice(p.offset(), p.length())).toList();
  }
}
