package io.contextstore.files;

import io.contextstore.guard.MemoryOnly;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;

/** Steps that survive a crash of the machine. None takes a lock; callers serialise per file. */
public final class DurableFiles {
  private static final String TEMPORARY = ".tmp";

  private DurableFiles() {}

  /**
   * Makes the content of a file durable, or the entries of a folder: what was created, renamed or
   * removed in it. Linux syncs either through a channel that is open for reading.
   */
  public static void sync(Path fileOrFolder) throws IOException {
    MemoryOnly.checkIoAllowed();
    try (FileChannel channel = FileChannel.open(fileOrFolder, StandardOpenOption.READ)) {
      channel.force(true);
    }
  }

  /** Creates a folder and its parents, each made durable in its parent. */
  public static void createFolders(Path folder) throws IOException {
    MemoryOnly.checkIoAllowed();
    if (Files.isDirectory(folder)) {
      return;
    }
    Path parent = folder.toAbsolutePath().getParent();
    if (parent != null) {
      createFolders(parent);
    }
    Files.createDirectory(folder);
    if (parent != null) {
      sync(parent);
    }
  }

  /**
   * Replaces a file's content as a whole: temporary file, sync, atomic move, sync of the folder.
   * After a crash the file has its old or its new content.
   */
  public static void replace(Path file, byte[] content) throws IOException {
    MemoryOnly.checkIoAllowed();
    Path folder = parentOf(file);
    Path temporary = folder.resolve(file.getFileName() + TEMPORARY);
    try (FileChannel channel =
        FileChannel.open(
            temporary,
            StandardOpenOption.CREATE,
            StandardOpenOption.TRUNCATE_EXISTING,
            StandardOpenOption.WRITE)) {
      ByteBuffer rest = ByteBuffer.wrap(content);
      while (rest.hasRemaining()) {
        channel.write(rest);
      }
      channel.force(true);
    }
    Files.move(temporary, file, StandardCopyOption.ATOMIC_MOVE);
    sync(folder);
  }

  /** Whether {@code file} is left over from a {@link #replace} that a crash cut short. */
  public static boolean isLeftover(Path file) {
    return file.getFileName().toString().endsWith(TEMPORARY);
  }

  /** Removes a file for good. Nothing happens when it is not there. */
  public static void remove(Path file) throws IOException {
    MemoryOnly.checkIoAllowed();
    if (Files.deleteIfExists(file)) {
      sync(parentOf(file));
    }
  }

  /** Removes a folder with all that is in it. Nothing happens when it is not there. */
  public static void removeTree(Path folder) throws IOException {
    MemoryOnly.checkIoAllowed();
    try {
      // A link is removed and not followed: what it leads to is somebody else's.
      if (Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS)) {
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(folder)) {
          for (Path entry : entries) {
            removeTree(entry);
          }
        }
      }
      Files.deleteIfExists(folder);
    } catch (NoSuchFileException alreadyGone) {
      // Somebody else removes the same tree: what counts is that it is gone.
    } catch (DirectoryIteratorException e) {
      throw e.getCause();
    }
  }

  private static Path parentOf(Path file) {
    Path parent = file.toAbsolutePath().getParent();
    if (parent == null) {
      throw new IllegalArgumentException("no parent folder: " + file);
    }
    return parent;
  }
}
