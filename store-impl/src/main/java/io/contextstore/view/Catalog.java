package io.contextstore.view;

import io.contextstore.api.error.StartupException;
import io.contextstore.files.DurableFiles;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The entries on disk: a store exists when its entry does. Folders are removed only on evidence: a
 * debris marker says that those of one incarnation are to go, unless an entry names it.
 *
 * <pre>
 * create: marker, folders, entry, marker away
 * drop:   marker, entry away, folders away, marker away
 * </pre>
 *
 * <p>So a crash leaves at most a marker with or without folders, which the next start collects; and
 * a folder whose entry somebody took away stays. Callers serialise by store name; different names
 * may be written at the same time.
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

  /** Before the first folder of a store is made, and before its entry is removed. */
  public void markDebris(StoreId id) throws IOException {
    DurableFiles.replace(folder.files().debris(id), new byte[0]);
  }

  /** When the entry is there to stay, or the folders are gone. */
  public void unmarkDebris(StoreId id) throws IOException {
    DurableFiles.remove(folder.files().debris(id));
  }

  /** Removes the folders of a store that has no entry any more, then the marker. */
  public void removeDebris(StoreId id) throws IOException {
    folder.removeStore(id);
    unmarkDebris(id);
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

  /** Collects what a crash has left of creates and drops. Only before the first of either. */
  public void collectDebris(List<CatalogEntry> entries) throws IOException {
    Set<StoreId> existing =
        entries.stream().map(CatalogEntry::id).collect(Collectors.toUnmodifiableSet());
    List<StoreId> marked = new ArrayList<>();
    try (DirectoryStream<Path> listing = Files.newDirectoryStream(folder.files().catalog())) {
      for (Path file : listing) {
        DataFiles.debrisOf(file).ifPresent(marked::add);
      }
    }
    for (StoreId id : marked) {
      if (existing.contains(id)) {
        unmarkDebris(id);
      } else {
        removeDebris(id);
      }
    }
  }
}
