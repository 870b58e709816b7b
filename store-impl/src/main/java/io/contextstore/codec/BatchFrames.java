package io.contextstore.codec;

import io.contextstore.api.error.TooLargeException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.flatbuf.Message;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.ReferenceManager;
import org.apache.arrow.memory.util.MemoryUtil;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.VectorUnloader;
import org.apache.arrow.vector.ipc.message.ArrowRecordBatch;
import org.apache.arrow.vector.ipc.message.IpcOption;
import org.apache.arrow.vector.ipc.message.MessageSerializer;
import org.apache.arrow.vector.types.pojo.Schema;

/**
 * Batches as Arrow IPC record batch messages, the payload of a log frame:
 *
 * <pre>
 * 0   int32  -1 (continuation)
 * 4   int32  length of the metadata with its padding, a multiple of 8
 * 8          metadata (flatbuffer Message: nodes and place of every buffer), zero padding
 *            body: every buffer of every vector, each on a multiple of 8
 * </pre>
 *
 * <p>Any Arrow reader that knows the schema can read them.
 */
public final class BatchFrames {
  private static final int PREFIX = 8;
  private static final int CONTINUATION = -1;
  private static final ByteBuffer PADDING = ByteBuffer.allocateDirect(8).asReadOnlyBuffer();

  private BatchFrames() {}

  /**
   * Shows a batch as its message, without copying its data: the buffers after the first are views
   * of the vectors' own memory, neighbours joined, for one gathering write.
   *
   * @param batch stays the caller's; the result is valid as long as it lives and is unchanged. No
   *     other thread may use it during the call
   * @return the message in order; in sum a multiple of 8 bytes
   * @throws TooLargeException the body has 2 GiB or more
   */
  public static List<ByteBuffer> encode(VectorSchemaRoot batch) {
    try (ArrowRecordBatch message = new VectorUnloader(batch).getRecordBatch()) {
      if (message.computeBodyLength() > StagingArena.MAX_BATCH_BYTES) {
        throw new TooLargeException("a batch of rows has 2 GiB or more");
      }
      List<ByteBuffer> frame = new ArrayList<>();
      frame.add(metadata(message));
      addBody(message.getBuffers(), frame);
      return frame;
    }
  }

  private static ByteBuffer metadata(ArrowRecordBatch message) {
    ByteBuffer flat = MessageSerializer.serializeMetadata(message, IpcOption.DEFAULT);
    int length = (int) BatchAssembler.aligned(flat.remaining());
    ByteBuffer head = ByteBuffer.allocate(PREFIX + length).order(ByteOrder.LITTLE_ENDIAN);
    head.putInt(CONTINUATION).putInt(length).put(flat);
    return head.clear();
  }

  private static void addBody(List<ArrowBuf> buffers, List<ByteBuffer> frame) {
    Run run = new Run(frame);
    for (ArrowBuf buffer : buffers) {
      if (buffer.readableBytes() > 0) {
        run.add(buffer);
      }
    }
    run.end();
  }

  /**
   * Makes a batch of a message: one copy of its body into one allocation, which the vectors share.
   *
   * @param frame the message from its position to its limit, and nothing else; it is not changed
   * @param schema the schema of the batch that was encoded
   * @return the batch, owned by the caller
   * @throws MalformedBatchException the bytes are not a batch of that schema. Everything that a
   *     vector relies on is checked first, so that no bytes can lead a reader out of its memory
   * @throws org.apache.arrow.memory.OutOfMemoryException the allocator's limit is reached
   */
  public static RowBatch decode(ByteBuffer frame, Schema schema, BufferAllocator allocator)
      throws MalformedBatchException {
    ByteBuffer in = frame.duplicate().order(ByteOrder.LITTLE_ENDIAN);
    if (in.remaining() < PREFIX || in.getInt() != CONTINUATION) {
      throw new MalformedBatchException("a batch begins with a continuation mark");
    }
    int length = in.getInt();
    if (length <= 0 || length % 8 != 0 || length > in.remaining()) {
      throw new MalformedBatchException("a batch has metadata of " + length + " bytes");
    }
    ByteBuffer metadata = in.slice(in.position(), length).order(ByteOrder.LITTLE_ENDIAN);
    ByteBuffer body = in.slice(in.position() + length, in.remaining() - length);
    BatchLayout layout;
    try {
      layout = BatchLayout.read(Message.getRootAsMessage(metadata), body.remaining());
    } catch (IndexOutOfBoundsException | IllegalArgumentException e) {
      // How the generated accessors fail on offsets that lead nowhere.
      throw new MalformedBatchException("the metadata of a batch is damaged", e);
    }
    try (ArrowBuf memory = allocator.buffer(body.remaining())) {
      memory.setBytes(0, body);
      List<ArrowBuf> slices = layout.slices(memory);
      new BatchCheck(layout, slices).check(schema);
      return new RowBatch(
          BatchAssembler.load(schema, allocator, layout.rows(), layout.nodes(), slices),
          memory.capacity());
    }
  }

  /**
   * Joins buffers that lie one behind the other in one allocation, with at most padding between. A
   * run is empty at first and after each {@link #end}.
   */
  private static final class Run {
    private final List<ByteBuffer> frame;
    private ReferenceManager allocation = ReferenceManager.NO_OP;
    private long from;
    private long to;

    Run(List<ByteBuffer> frame) {
      this.frame = frame;
    }

    void add(ArrowBuf buffer) {
      long address = buffer.memoryAddress();
      if (!follows(buffer)) {
        end();
        allocation = buffer.getReferenceManager();
        from = address;
      }
      to = address + buffer.readableBytes();
    }

    @SuppressWarnings("ReferenceEquality") // The same allocation, not one like it.
    private boolean follows(ArrowBuf buffer) {
      return to > from
          && buffer.getReferenceManager() == allocation
          && buffer.memoryAddress() == from + BatchAssembler.aligned(to - from);
    }

    void end() {
      long length = to - from;
      if (length > 0) {
        frame.add(MemoryUtil.directBuffer(from, (int) length));
        int gap = (int) (BatchAssembler.aligned(length) - length);
        if (gap > 0) {
          frame.add(PADDING.slice(0, gap));
        }
      }
      to = from;
    }
  }
}
