package io.contextstore.view;

import io.contextstore.files.DurableFiles;
import io.contextstore.table.BaseTables;
import io.contextstore.table.OwnedTable;
import io.contextstore.table.SyncedVersion;
import io.contextstore.table.TableException;
import io.contextstore.table.TableLocation;
import io.contextstore.table.TableReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * This process's ownership of base tables, with what each owner remembers beside the log: the last
 * version that is surely on disk. Segments above that version's watermark are never dropped, so
 * {@link #remember} comes before any segment goes.
 */
public final class Ownership {
  private final BaseTables tables;
  private final DataFolder folder;

  /**
   * A table that was taken.
   *
   * @param reader its newest version; the caller closes it
   * @param watermark the last log segment whose rows are in it
   */
  public record Taken(TableReader reader, long watermark) {}

  /** Ownership of the tables in {@code folder}. */
  public Ownership(BaseTables tables, DataFolder folder) {
    this.tables = tables;
    this.folder = folder;
  }

  /** Where the store's base table lies. */
  public TableLocation location(StoreId id) {
    return TableLocation.local(folder.tableFolder(id));
  }

  /** The owner epoch of this process. */
  public long epoch() {
    return folder.ownerEpoch();
  }

  /** Takes the table: fences off every earlier writer, then reads the watermark. */
  public Taken take(StoreId id) {
    OwnedTable owned = tables.takeOwnership(location(id), epoch(), lastSynced(id));
    try {
      remember(id, owned.synced().version(), owned.synced().watermark());
    } catch (RuntimeException | Error e) {
      owned.reader().close();
      throw e;
    }
    return new Taken(owned.reader(), owned.watermark());
  }

  /** Writes down that this version is on disk with all its files. */
  public void remember(StoreId id, long version, long watermark) {
    Path file = folder.files().synced(id);
    try {
      DurableFiles.replace(
          file, (version + " " + watermark + "\n").getBytes(StandardCharsets.US_ASCII));
    } catch (IOException e) {
      throw new TableException("writing " + file + " failed", e);
    }
  }

  private SyncedVersion lastSynced(StoreId id) {
    Path file = folder.files().synced(id);
    try {
      if (!Files.exists(file)) {
        return SyncedVersion.NONE;
      }
      String[] parts = Files.readString(file, StandardCharsets.US_ASCII).strip().split(" ", -1);
      if (parts.length != 2) {
        throw new IOException(file + " does not hold two numbers");
      }
      return new SyncedVersion(Long.parseLong(parts[0]), Long.parseLong(parts[1]));
    } catch (IOException | NumberFormatException e) {
      throw new TableException("reading " + file + " failed", e);
    }
  }
}
