package io.contextstore.table;

import java.io.IOException;
import java.util.Optional;
import org.lance.Dataset;
import org.lance.Fragment;
import org.lance.Session;
import org.lance.index.Index;

/**
 * Finds the newest version of a local table whose files are all there. After a power cut a version
 * that was not yet synced may be torn or name files that never reached the disk; it is set aside,
 * and the rows that it had come again from the log. A version that was once synced is never set
 * aside.
 */
final class WholeVersion {
  private static final long SUSPECT_CACHE_BYTES = 1 << 20;

  private final TableEngine engine;
  private final TableLocation location;
  private final TableFiles files;

  WholeVersion(TableEngine engine, TableLocation location, TableFiles files) {
    this.engine = engine;
    this.location = location;
    this.files = files;
  }

  /**
   * Sets damaged versions aside until the newest one is whole.
   *
   * @param lastSynced the newest version that is known to have been whole
   * @return its number
   * @throws TableDamagedException when that would go below {@code lastSynced}
   */
  long find(long lastSynced) throws IOException {
    for (long version : files.versions()) {
      Optional<String> damage = damage(version);
      if (damage.isEmpty()) {
        if (version < lastSynced) {
          throw new TableDamagedException(
              "version " + lastSynced + " of " + location + " was synced and is gone");
        }
        return version;
      }
      if (version <= lastSynced) {
        throw new TableDamagedException(
            "version " + version + " of " + location + " was synced, but " + damage.get());
      }
      files.setAside(version);
    }
    throw new TableDamagedException("no version of " + location + " is whole");
  }

  private Optional<String> damage(long version) throws IOException {
    Optional<String> torn = files.manifestDamage(version);
    if (torn.isPresent()) {
      return torn;
    }
    try (Session own =
            Session.builder()
                .indexCacheSizeBytes(SUSPECT_CACHE_BYTES)
                .metadataCacheSizeBytes(SUSPECT_CACHE_BYTES)
                .build();
        Dataset dataset = engine.openSuspect(location, version, own)) {
      return damage(dataset, version);
    } catch (Exception e) {
      // Too many open files, or a disk that is away, must not cost a version.
      if (LanceErrors.isDamage(e)) {
        return Optional.of("it cannot be decoded: " + e.getMessage());
      }
      throw LanceErrors.table("opening version " + version + " of " + location, e);
    }
  }

  private Optional<String> damage(Dataset dataset, long version) throws IOException {
    if (dataset.version() != version) {
      return Optional.of("its manifest says that it is version " + dataset.version());
    }
    for (Fragment fragment : dataset.getFragments()) {
      Optional<String> damage = files.damage(fragment.metadata());
      if (damage.isPresent()) {
        return damage;
      }
    }
    for (Index index : dataset.getIndexes()) {
      Optional<String> damage = files.damage(index);
      if (damage.isPresent()) {
        return damage;
      }
    }
    if (CommitRecord.of(dataset) instanceof CommitRecord.Unreadable unreadable
        && !unreadable.compaction()) {
      return Optional.of("its transaction cannot be read: " + unreadable.cause().getMessage());
    }
    return Optional.empty();
  }
}
