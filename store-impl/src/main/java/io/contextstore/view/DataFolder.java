package io.contextstore.view;

import io.contextstore.api.error.StartupException;
import io.contextstore.files.DurableFiles;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/**
 * The data folder, owned by this process while it is open: the operating system's lock on one file
 * keeps a second server out and goes with the process, however that ends. Each opening raises the
 * owner epoch, which is stamped on everything durable from then on.
 */
public final class DataFolder implements AutoCloseable {
  private final DataFiles files;
  private final FileChannel lockChannel;
  private final long ownerEpoch;

  private DataFolder(DataFiles files, FileChannel lockChannel, long ownerEpoch) {
    this.files = files;
    this.lockChannel = lockChannel;
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
      FileChannel channel =
          FileChannel.open(
              files.lock(),
              StandardOpenOption.CREATE,
              StandardOpenOption.READ,
              StandardOpenOption.WRITE);
      try {
        lock(channel, root);
        return new DataFolder(files, channel, nextOwnerEpoch(files));
      } catch (IOException | RuntimeException e) {
        channel.close();
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

  // The lock lasts as long as its channel, which the data folder owns.
  @SuppressWarnings("resource")
  private static void lock(FileChannel channel, Path root) throws IOException {
    FileLock lock;
    try {
      lock = channel.tryLock();
    } catch (OverlappingFileLockException heldByThisProcess) {
      throw held(root, heldByThisProcess);
    }
    if (lock == null) {
      throw held(root, null);
    }
  }

  private static StartupException held(Path root, @Nullable Throwable cause) {
    return new StartupException(
        "The data folder "
            + root
            + " is in use by another running server. Stop that one, or set"
            + " contextstore.data.dir to another folder.",
        cause);
  }

  private static long nextOwnerEpoch(DataFiles files) throws IOException {
    long last = 0;
    if (Files.exists(files.ownerEpoch())) {
      String text = Files.readString(files.ownerEpoch(), StandardCharsets.US_ASCII).strip();
      try {
        last = Long.parseLong(text);
      } catch (NumberFormatException e) {
        throw new IOException(files.ownerEpoch() + " does not hold a number", e);
      }
    }
    long next = Math.addExact(last, 1);
    DurableFiles.replace(files.ownerEpoch(), (next + "\n").getBytes(StandardCharsets.US_ASCII));
    return next;
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
    DurableFiles.syncFolder(files.stores());
  }

  /** Gives the folder free. */
  @Override
  public void close() throws IOException {
    lockChannel.close();
  }
}
