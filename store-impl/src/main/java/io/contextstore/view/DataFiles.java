package io.contextstore.view;

import io.contextstore.api.StoreName;
import java.nio.file.Path;
import java.util.Optional;

/**
 * The names of everything in a data folder:
 *
 * <pre>
 * contextstore.lock                     held by the running server
 * owner-epoch                           number of the last owner of the folder
 * catalog/NAME.KIND.json                one entry a store; what has none does not exist
 * catalog/NAME.KIND.INCARNATION.debris  its folders are to be removed, unless an entry names it
 * stores/NAME.KIND.INCARNATION.lance/   base table
 * stores/NAME.KIND.INCARNATION.log/     write-ahead log
 * stores/NAME.KIND.INCARNATION.synced   last version of the table that is surely on disk
 * </pre>
 *
 * @param root the data folder
 */
record DataFiles(Path root) {
  private static final String ENTRY_SUFFIX = ".json";
  private static final String DEBRIS_SUFFIX = ".debris";
  private static final String TABLE_SUFFIX = ".lance";
  private static final String LOG_SUFFIX = ".log";
  private static final String SYNCED_SUFFIX = ".synced";

  Path lock() {
    return root.resolve("contextstore.lock");
  }

  Path ownerEpoch() {
    return root.resolve("owner-epoch");
  }

  Path catalog() {
    return root.resolve("catalog");
  }

  Path entry(StoreName name, StoreKind kind) {
    return catalog().resolve(name.value() + "." + kind.label() + ENTRY_SUFFIX);
  }

  static boolean isEntry(Path file) {
    return file.getFileName().toString().endsWith(ENTRY_SUFFIX);
  }

  Path debris(StoreId id) {
    return catalog().resolve(id.folderName() + DEBRIS_SUFFIX);
  }

  /** The creation that a debris marker speaks of; empty when the file is something else. */
  static Optional<StoreId> debrisOf(Path file) {
    String name = file.getFileName().toString();
    return name.endsWith(DEBRIS_SUFFIX)
        ? Optional.of(
            StoreId.fromFolderName(name.substring(0, name.length() - DEBRIS_SUFFIX.length())))
        : Optional.empty();
  }

  Path stores() {
    return root.resolve("stores");
  }

  Path table(StoreId id) {
    return stores().resolve(id.folderName() + TABLE_SUFFIX);
  }

  Path log(StoreId id) {
    return stores().resolve(id.folderName() + LOG_SUFFIX);
  }

  Path synced(StoreId id) {
    return stores().resolve(id.folderName() + SYNCED_SUFFIX);
  }
}
