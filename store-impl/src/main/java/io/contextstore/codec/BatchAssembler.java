package io.contextstore.codec;

import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.OutOfMemoryException;
import org.apache.arrow.vector.VectorLoader;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.ipc.message.ArrowFieldNode;
import org.apache.arrow.vector.ipc.message.ArrowRecordBatch;
import org.apache.arrow.vector.types.pojo.Schema;

/**
 * Puts finished vectors into one allocation of exactly their size, laid out as the body of an IPC
 * message: each buffer on a multiple of 8, the gaps zeroed. One allocation a batch instead of two
 * or three a column keeps single-row batches small, and the log writes it as one stretch.
 *
 * <p>Nodes and buffers are added in the order of Arrow IPC: a vector's node, its buffers, then its
 * children. For one thread and one batch.
 */
final class BatchAssembler {
  private static final long ALIGNMENT = 8;

  private final List<ArrowFieldNode> nodes = new ArrayList<>();
  private final List<Staged> buffers = new ArrayList<>();

  void addNode(int valueCount, int nullCount) {
    nodes.add(new ArrowFieldNode(valueCount, nullCount));
  }

  void addBuffer(Staged buffer) {
    buffers.add(buffer);
  }

  /** The batch, owned by the caller. The staged buffers are only read. */
  RowBatch assemble(Schema schema, BufferAllocator allocator, int rows) {
    long size = 0;
    for (Staged buffer : buffers) {
      size += aligned(buffer.length());
    }
    if (size > StagingArena.MAX_BATCH_BYTES) {
      throw StagingArena.tooLarge();
    }
    try (ArrowBuf body = allocator.buffer(size)) {
      return new RowBatch(load(schema, allocator, rows, nodes, fill(body)), body.capacity());
    }
  }

  private List<ArrowBuf> fill(ArrowBuf body) {
    List<ArrowBuf> slices = new ArrayList<>(buffers.size());
    long at = 0;
    for (Staged buffer : buffers) {
      long length = buffer.length();
      buffer.copyTo(body, at);
      body.setZero(at + length, aligned(length) - length);
      slices.add(body.slice(at, length));
      at += aligned(length);
    }
    return slices;
  }

  /** A batch over slices of one body, which it retains; the caller still releases its own hold. */
  static VectorSchemaRoot load(
      Schema schema,
      BufferAllocator allocator,
      int rows,
      List<ArrowFieldNode> nodes,
      List<ArrowBuf> slices) {
    VectorSchemaRoot root = VectorSchemaRoot.create(schema, allocator);
    try (ArrowRecordBatch batch = new ArrowRecordBatch(rows, nodes, slices)) {
      new VectorLoader(root).load(batch);
      return root;
    } catch (RuntimeException | Error e) {
      root.close();
      if (e.getCause() instanceof OutOfMemoryException limit) {
        throw limit; // The loader wraps what an allocator throws.
      }
      throw e;
    }
  }

  static long aligned(long length) {
    return (length + ALIGNMENT - 1) & -ALIGNMENT;
  }
}
