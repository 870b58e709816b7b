package io.contextstore.log;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.List;

/**
 * The only door of this package to the disk: one log's folder. What changes names is durable only
 * after {@link #sync}.
 */
interface LogFolder {
  /** The folder's own path. */
  Path path();

  /** All files in it, in any order. */
  List<Path> list() throws IOException;

  /** Makes a new file; replaces one that is there. */
  SegmentFile create(Path file) throws IOException;

  /** Opens a file to write behind its end. */
  SegmentFile append(Path file) throws IOException;

  /** Opens a file to read. */
  FileChannel read(Path file) throws IOException;

  /** Renames atomically, replacing what has that name. */
  void rename(Path from, Path to) throws IOException;

  /** Removes a file if it is there. */
  void delete(Path file) throws IOException;

  /** Makes creations, renames and deletions so far durable. */
  void sync() throws IOException;
}
