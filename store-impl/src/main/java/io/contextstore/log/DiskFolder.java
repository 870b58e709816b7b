package io.contextstore.log;

import io.contextstore.files.DurableFiles;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.stream.Stream;

/** A folder of the local file system. */
final class DiskFolder implements LogFolder {
  private final Path folder;

  private DiskFolder(Path folder) {
    this.folder = folder;
  }

  /** Opens the folder; makes it, durably, if it is missing. Its parent must exist. */
  static DiskFolder open(Path folder) throws IOException {
    if (!Files.isDirectory(folder)) {
      Files.createDirectory(folder);
    }
    // Also if it was there: whoever made it may have died before this.
    Path parent = folder.toAbsolutePath().getParent();
    if (parent != null) {
      syncFolder(parent);
    }
    return new DiskFolder(folder);
  }

  @Override
  public Path path() {
    return folder;
  }

  @Override
  public List<Path> list() throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.toList();
    }
  }

  @Override
  public SegmentFile create(Path file) throws IOException {
    return DiskSegmentFile.create(file);
  }

  @Override
  public SegmentFile append(Path file) throws IOException {
    return DiskSegmentFile.append(file);
  }

  @Override
  public FileChannel read(Path file) throws IOException {
    return FileChannel.open(file, StandardOpenOption.READ);
  }

  @Override
  public void rename(Path from, Path to) throws IOException {
    Files.move(from, to, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }

  @Override
  public void delete(Path file) throws IOException {
    Files.deleteIfExists(file);
  }

  @Override
  public void sync() throws IOException {
    syncFolder(folder);
  }

  private static void syncFolder(Path folder) throws IOException {
    Uninterrupted.repeatedly(() -> DurableFiles.sync(folder));
  }
}
