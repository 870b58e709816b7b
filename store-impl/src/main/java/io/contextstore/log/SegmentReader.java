package io.contextstore.log;

import java.nio.ByteBuffer;
import java.util.Optional;

/**
 * Reads one segment from its start, in LSN order, with a small buffer of its own whatever the size
 * of segment and frames. For one thread; the caller closes it.
 *
 * <p>Implementers must deliver data frames only, verify everything that they pass on, and treat any
 * damage as corruption: what an open has accepted is whole.
 */
public interface SegmentReader extends AutoCloseable {
  /**
   * Steps to the next frame; its body may be left unread.
   *
   * @return the frame, or empty at the end of the segment
   * @throws LogCorruptException if the bytes there are not the expected frame
   * @throws LogIoException if reading fails
   */
  Optional<Frame> next();

  /**
   * Copies the body of the current frame, once, straight into the caller's memory, and verifies it.
   *
   * @param target takes {@link Frame#bodyLength} bytes from its position on and is moved behind
   *     them
   * @throws IllegalArgumentException if it has not enough room
   * @throws IllegalStateException if there is no current frame or its body was already copied
   * @throws LogCorruptException if the bytes are not those that were written; {@code target} then
   *     holds rubbish
   * @throws LogIoException if reading fails
   */
  void copyBody(ByteBuffer target);

  @Override
  void close();
}
