package io.contextstore.table;

import io.contextstore.files.DurableFiles;
import java.io.IOException;
import java.nio.file.Path;

/** Forces a file, or the entries of a folder, to disk. A seam: tests record or fail it. */
@FunctionalInterface
interface FileSync {
  /** The real one. */
  FileSync FORCE = DurableFiles::sync;

  /** Returns when the file's bytes, or the folder's entries, are on disk. */
  void sync(Path fileOrFolder) throws IOException;
}
