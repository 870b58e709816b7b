package io.contextstore.table;

import java.util.OptionalLong;
import org.lance.Dataset;

/**
 * Reads a table's watermark and owner epoch.
 *
 * <p>A merge notes them in its transaction. A commit that cannot carry properties (compaction,
 * index) hides what is below it once old versions are gone, or when Lance cannot show it; so a
 * <em>floor</em> puts the exact watermark into the table configuration before each of those, and
 * when a new owner comes. Reading walks back from the newest version to the first floor, unreadable
 * commit or commit of a stranger, and takes the larger of what it saw and that version's
 * configuration.
 */
final class Watermarks {
  private static final long NONE = -1;

  private Watermarks() {}

  /**
   * The watermark at the version that {@code newest} shows. No restore may be left unmended below.
   *
   * @throws TableDamagedException when it cannot be known
   */
  static long read(Dataset newest) {
    long seen = NONE;
    for (long version = newest.version(); version >= 1; version--) {
      try (Dataset at = newest.checkoutVersion(version)) {
        OptionalLong configured = configured(at, TableProperties.WATERMARK);
        switch (CommitRecord.of(at)) {
          case CommitRecord.Readable ours when ours.isOurs() -> {
            seen = Math.max(seen, ours.watermark().orElse(NONE));
            if (ours.isFloor()) {
              return Math.max(seen, configured.orElse(NONE));
            }
          }
          // A stranger's commit carries no watermark, and may have gone back to an older version:
          // what its configuration says is the truth from here on.
          case CommitRecord.Readable stranger -> {
            if (configured.isPresent()) {
              return Math.max(seen, configured.getAsLong());
            }
          }
          case CommitRecord.Unreadable unreadable -> {
            if (configured.isEmpty()) {
              throw new TableDamagedException(
                  "the watermark is hidden below version " + version + " of " + newest.uri(),
                  unreadable.cause());
            }
            return Math.max(seen, configured.getAsLong());
          }
        }
      } catch (TableException e) {
        throw e;
      } catch (RuntimeException e) {
        return belowOldest(newest, version, seen, e);
      }
    }
    // Creation crashed between the empty first version and its floor.
    return Math.max(seen, 0);
  }

  private static long belowOldest(Dataset newest, long version, long seen, RuntimeException e) {
    OptionalLong configured = configured(newest, TableProperties.WATERMARK);
    long known = Math.max(seen, configured.orElse(NONE));
    if (known == NONE) {
      throw new TableDamagedException(
          "the watermark is hidden below version " + (version + 1) + " of " + newest.uri(), e);
    }
    return known;
  }

  /**
   * The owner epoch of the version that {@code newest} shows; 0 if there never was an owner. A
   * stranger's commit bears none, and may even have wiped the configuration (Lance's own {@code
   * updateConfig} in Java replaces all of it): then the commits below tell.
   */
  static long ownerEpoch(Dataset newest) {
    for (long version = newest.version(); version >= 1; version--) {
      try (Dataset at = newest.checkoutVersion(version)) {
        OptionalLong configured = configured(at, TableProperties.OWNER_EPOCH);
        switch (CommitRecord.of(at)) {
          case CommitRecord.Readable ours when ours.isOurs() -> {
            return Math.max(ours.ownerEpoch().orElse(0), configured.orElse(0));
          }
          case CommitRecord.Readable stranger -> {
            if (configured.isPresent()) {
              return configured.getAsLong();
            }
          }
          case CommitRecord.Unreadable unreadable -> {
            return configured.orElse(0);
          }
        }
      }
    }
    return 0;
  }

  static OptionalLong configured(Dataset dataset, String name) {
    return CommitRecord.number(dataset.getConfig(), name);
  }
}
