package io.contextstore.table;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** Forces a file, or the entries of a folder, to disk. A seam: tests record or fail it. */
@FunctionalInterface
interface FileSync {
  /** The real one. Linux syncs a folder through a channel that is open for reading. */
  FileSync FORCE =
      path -> {
        try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ)) {
          channel.force(true);
        }
      };

  /** Returns when the file's bytes, or the folder's entries, are on disk. */
  void sync(Path fileOrFolder) throws IOException;
}
