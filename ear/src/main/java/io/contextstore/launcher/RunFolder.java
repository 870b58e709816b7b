package io.contextstore.launcher;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Comparator;
import java.util.stream.Stream;

/**
 * A folder for what the running server unpacks. A lock file in it says that its process lives: a
 * lock, unlike a process id, is right across containers and vanishes at a kill -9.
 */
final class RunFolder {
  private static final String PREFIX = "context-store-run-";

  private final Path path;

  /** Held until the process ends, never closed. */
  private final FileLock lock;

  private RunFolder(Path path, FileLock lock) {
    this.path = path;
    this.lock = lock;
  }

  /** Creates one, and removes those whose process was killed. */
  static RunFolder create(Path parent) throws IOException {
    Files.createDirectories(parent);
    removeStale(parent);
    Path path = Files.createTempDirectory(parent, PREFIX);
    return new RunFolder(path, lock(path));
  }

  Path path() {
    return path;
  }

  void delete() {
    try {
      lock.channel().close();
    } catch (IOException e) {
      // The process ends; the next start removes the folder.
    }
    deleteTree(path);
  }

  private static void removeStale(Path parent) throws IOException {
    try (DirectoryStream<Path> folders = Files.newDirectoryStream(parent, PREFIX + "*")) {
      for (Path folder : folders) {
        if (isStale(folder)) {
          deleteTree(folder);
        }
      }
    }
  }

  private static boolean isStale(Path folder) {
    Path lockFile = folder.resolve("lock");
    if (!Files.exists(lockFile)) {
      // Being created right now, or half removed: leave it.
      return false;
    }
    try (FileChannel channel = FileChannel.open(lockFile, StandardOpenOption.WRITE);
        FileLock lock = channel.tryLock()) {
      return lock != null;
    } catch (IOException e) {
      return false; // another user's, for example
    }
  }

  private static FileLock lock(Path folder) throws IOException {
    FileChannel channel =
        FileChannel.open(
            folder.resolve("lock"), StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
    return channel.lock();
  }

  /** The lock file goes last: a folder that was only half deleted is still found stale. */
  private static void deleteTree(Path root) {
    Path lockFile = root.resolve("lock");
    try (Stream<Path> paths = Files.walk(root)) {
      paths
          .sorted(Comparator.reverseOrder())
          .filter(path -> !path.equals(root) && !path.equals(lockFile))
          .forEach(RunFolder::deleteQuietly);
    } catch (IOException | UncheckedIOException e) {
      // What remains is removed by the next start.
    }
    deleteQuietly(lockFile);
    deleteQuietly(root);
  }

  private static void deleteQuietly(Path path) {
    try {
      Files.deleteIfExists(path);
    } catch (IOException e) {
      // see deleteTree
    }
  }
}
