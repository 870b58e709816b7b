package io.contextstore.log;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * A file that is being written at its end. For one thread at a time, except {@link #close}.
 *
 * <p>Implementers must not treat an interrupt of the thread as a failure of storage, and after a
 * failed {@link #write} or {@link #force} must still be able to {@link #cut}.
 */
interface SegmentFile extends Closeable {
  /**
   * Writes all remaining bytes of all buffers behind the end. After a failure the end is unknown.
   */
  void write(List<ByteBuffer> buffers) throws IOException;

  /** Returns when everything written would survive the loss of power. */
  void force() throws IOException;

  /** Makes the file {@code size} bytes long, durably, whatever happened before. */
  void cut(long size) throws IOException;

  /**
   * Writes the bytes from {@code from} to the end once more, as they are, and syncs. A crash during
   * it leaves them as they were.
   */
  void rewrite(long from) throws IOException;
}
