package io.contextstore.api;

import java.io.IOException;
import java.io.OutputStream;

/**
 * Rows on their way out, over a snapshot that stays pinned until {@link #close}.
 *
 * <p>What can fail because of the request has failed before the stream is handed out: its first
 * batch has been read. Not safe for use by several threads.
 */
public interface RowStream extends AutoCloseable {
  /**
   * Writes all rows as UTF-8 JSON in the envelope asked for, batch by batch. May be called once.
   * Does not close {@code out}.
   */
  void writeTo(OutputStream out) throws IOException;

  /** Releases the snapshot. Safe to call again. */
  @Override
  void close();
}
