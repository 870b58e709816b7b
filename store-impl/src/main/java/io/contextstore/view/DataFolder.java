package io.contextstore.view;

import io.contextstore.api.error.StartupException;
import io.contextstore.files.DurableFiles;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * The data folder, owned by this process while it is open: the operating system's lock on one file
 * keeps a second server out and goes with the process, however that ends. Each opening raises the
 * owner epoch, which is stamped on everything durable from then on.
 */
public final class DataFolder implements AutoCloseable {
  /**
   * Prefix of a system property that marks a folder as held by this process, whatever class loader
   * the holder comes from. The lock alone does not do: closing any channel of the lock file, that
   * of a refused second opening too, gives up all locks that the process has on it.
   */
  private static final String HELD = "contextstore.data-folder-held:";

  private final DataFiles files;
  private final FileChannel lockChannel;
  private final String mark;
  private final long ownerEpoch;

  private DataFolder(DataFiles files, FileChannel lockChannel, String mark, long ownerEpoch) {
    this.files = files;
    this.lockChannel = lockChannel;
    this.mark = mark;
    this.ownerEpoch = ownerEpoch;
  }

  /**
   * Takes the folder, and creates it when it is not there. Throws {@link StartupException} with one
   * line when another server holds it or it cannot be written.
   */
  public static DataFolder open(Path root) {
    DataFiles files = new DataFiles(root.toAbsolutePath().normalize());
    try {
      DurableFiles.createFolders(files.catalog());
      DurableFiles.createFolders(files.stores());
      // They may have been there already, from a start that a crash cut short.
      DurableFiles.sync(files.root());
      String mark = HELD + files.root().toRealPath();
      if (System.getProperties().putIfAbsent(mark, "held") != null) {
        throw held(root);
      }
      try {
        return openAlone(files, root, mark);
      } catch (IOException | RuntimeException e) {
        System.clearProperty(mark);
        throw e;
      }
    } catch (IOException e) {
      throw new StartupException(
          "The data folder "
              + root
              + " cannot be used: "
              + e
              + ". Set contextstore.data.dir to a"
              + " folder that this server may write.",
          e);
    }
  }

  private static DataFolder openAlone(DataFiles files, Path root, String mark) throws IOException {
    FileChannel channel =
        FileChannel.open(
            files.lock(),
            StandardOpenOption.CREATE,
            StandardOpenOption.READ,
            StandardOpenOption.WRITE);
    try {
      // The lock lasts as long as its channel, which the data folder owns.
      FileLock lock = channel.tryLock();
      if (lock == null) {
        throw held(root);
      }
      return new DataFolder(files, channel, mark, nextOwnerEpoch(files));
    } catch (IOException | RuntimeException e) {
      channel.close();
      throw e;
    }
  }

  private static StartupException held(Path root) {
    return new StartupException(
        "The data folder "
            + root
            + " is in use by another running server. Stop that one, or set"
            + " contextstore.data.dir to another folder.",
        null);
  }

  private static long nextOwnerEpoch(DataFiles files) throws IOException {
    long next = Files.exists(files.ownerEpoch()) ? lastOwnerEpoch(files.ownerEpoch()) + 1 : 1;
    if (next == 1 && hasStores(files)) {
      // Tables refuse an owner with a lower epoch than their last one.
      throw new IOException(
          files.ownerEpoch()
              + " is missing although there are stores; restore it, or write a number into it that"
              + " is above every earlier one");
    }
    DurableFiles.replace(files.ownerEpoch(), (next + "\n").getBytes(StandardCharsets.US_ASCII));
    return next;
  }

  private static long lastOwnerEpoch(Path file) throws IOException {
    String text = Files.readString(file, StandardCharsets.ISO_8859_1).strip();
    try {
      long last = Long.parseLong(text);
      if (last > 0 && last < Long.MAX_VALUE) {
        return last;
      }
      throw new IOException(file + " holds " + last + ", which is no owner epoch");
    } catch (NumberFormatException e) {
      throw new IOException(file + " does not hold a number", e);
    }
  }

  private static boolean hasStores(DataFiles files) throws IOException {
    try (DirectoryStream<Path> entries =
        Files.newDirectoryStream(files.catalog(), DataFiles::isEntry)) {
      return entries.iterator().hasNext();
    }
  }

  /** The number of this opening: at least 1, above every earlier one. */
  public long ownerEpoch() {
    return ownerEpoch;
  }

  DataFiles files() {
    return files;
  }

  /** The folder of a store's base table. */
  public Path tableFolder(StoreId id) {
    return files.table(id);
  }

  /** The folder of a store's log. */
  public Path logFolder(StoreId id) {
    return files.log(id);
  }

  /** Removes the folders of a store that has no catalog entry any more. */
  public void removeStore(StoreId id) throws IOException {
    DurableFiles.removeTree(files.table(id));
    DurableFiles.removeTree(files.log(id));
    Files.deleteIfExists(files.synced(id));
    DurableFiles.sync(files.stores());
  }

  /** Gives the folder free. */
  @Override
  public void close() throws IOException {
    try {
      lockChannel.close();
    } finally {
      System.clearProperty(mark);
    }
  }
}
