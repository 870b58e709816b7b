package io.contextstore.view;

import io.contextstore.api.error.StartupException;
import io.contextstore.files.DurableFiles;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The entries on disk: a store exists when its entry does. To create one, its folders come first
 * and the entry last; to drop one, the entry goes first and the folders later. So a crash leaves at
 * most folders without an entry, which {@link #removeOrphans} collects.
 *
 * <p>Callers serialise by store name; different names may be written at the same time.
 */
public final class Catalog {
  private final DataFolder folder;

  /** The catalog of a data folder. */
  public Catalog(DataFolder folder) {
    this.folder = folder;
  }

  /** Reads all entries; throws {@link StartupException} that names a file it cannot read. */
  public List<CatalogEntry> load() {
    List<CatalogEntry> entries = new ArrayList<>();
    Path catalog = folder.files().catalog();
    try (DirectoryStream<Path> listing = Files.newDirectoryStream(catalog)) {
      for (Path file : listing) {
        if (DurableFiles.isLeftover(file)) {
          DurableFiles.remove(file);
        } else if (DataFiles.isEntry(file)) {
          entries.add(read(file));
        }
      }
    } catch (IOException e) {
      throw new StartupException("The catalog " + catalog + " cannot be read: " + e, e);
    }
    return entries;
  }

  private CatalogEntry read(Path file) throws IOException {
    byte[] json = Files.readAllBytes(file);
    CatalogEntry entry;
    try {
      entry = CatalogEntry.fromJson(json);
    } catch (RuntimeException e) {
      throw new StartupException(
          "The catalog entry "
              + file
              + " is damaged ("
              + e.getMessage()
              + "). Restore it from a"
              + " backup, or move it away to start without that store.",
          e);
    }
    if (!folder.files().entry(entry.id().name(), entry.id().kind()).equals(file)) {
      throw new StartupException(
          "The catalog entry " + file + " belongs to the store " + entry.id(), null);
    }
    return entry;
  }

  /** Makes the store exist. Its folders must be complete and synced. */
  public void put(CatalogEntry entry) throws IOException {
    DurableFiles.replace(
        folder.files().entry(entry.id().name(), entry.id().kind()), entry.toJson());
  }

  /** Makes the store not exist. */
  public void remove(StoreId id) throws IOException {
    DurableFiles.remove(folder.files().entry(id.name(), id.kind()));
  }

  /** Removes folders that belong to none of {@code entries}. Only before the first create. */
  public void removeOrphans(List<CatalogEntry> entries) throws IOException {
    Set<Path> known = new HashSet<>();
    for (CatalogEntry entry : entries) {
      known.add(folder.tableFolder(entry.id()));
      known.add(folder.logFolder(entry.id()));
      known.add(folder.files().synced(entry.id()));
    }
    try (DirectoryStream<Path> listing = Files.newDirectoryStream(folder.files().stores())) {
      for (Path path : listing) {
        if (!known.contains(path)) {
          DurableFiles.removeTree(path);
        }
      }
    }
    DurableFiles.syncFolder(folder.files().stores());
  }
}
