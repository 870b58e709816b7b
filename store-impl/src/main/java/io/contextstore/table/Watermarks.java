package io.contextstore.table;

import java.util.OptionalLong;
import org.lance.Dataset;

/**
 * Reads a table's watermark and owner epoch.
 *
 * <p>A merge notes them in its transaction. A commit that cannot carry properties (compaction,
 * index) hides what is below it when Lance cannot show it or old versions are gone; so a
 * <em>floor</em> puts the exact watermark into the table configuration before each of those, and
 * when a new owner comes. Reading walks back from the newest version, along restores to where they
 * went, down to the first floor or unreadable commit; it takes the larger of what it saw and that
 * version's configuration. Commits of strangers carry no watermark and are passed over.
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
    long version = newest.version();
    OptionalLong configuredAbove = OptionalLong.empty();
    while (version >= 1) {
      OptionalLong configured;
      CommitRecord record;
      try (Dataset at = newest.checkoutVersion(version)) {
        configured = configured(at, TableProperties.WATERMARK);
        record = CommitRecord.of(at);
      } catch (TableException e) {
        throw e;
      } catch (Exception e) {
        // Removed, unless storage fails: either way what is above must suffice.
        return known(newest, version, seen, configuredAbove, e);
      }
      switch (record) {
        case CommitRecord.Known readable -> {
          seen = Math.max(seen, readable.watermark().orElse(NONE));
          if (readable.isFloor()) {
            return Math.max(seen, configured.orElse(NONE));
          }
          version = Math.min(readable.restored().orElse(version - 1), version - 1);
          configuredAbove = configured;
        }
        case CommitRecord.Unreadable unreadable -> {
          if (configured.isEmpty()) {
            throw hidden(newest, version, unreadable.cause());
          }
          return Math.max(seen, configured.getAsLong());
        }
      }
    }
    // Creation crashed between the empty first version and its floor.
    return Math.max(seen, 0);
  }

  /**
   * The same for a table of the caller's epoch, mostly without a walk: an owner's watermarks only
   * grow, and no older commit lands after its barrier, so its newest merge tells.
   */
  static long readAsOwner(Dataset newest, long ownerEpoch) {
    if (CommitRecord.of(newest) instanceof CommitRecord.Known known
        && known.ownerEpoch().equals(OptionalLong.of(ownerEpoch))
        && known.watermark().isPresent()) {
      return known.watermark().getAsLong();
    }
    return read(newest);
  }

  private static long known(
      Dataset newest, long version, long seen, OptionalLong configuredAbove, Exception e) {
    long known = Math.max(seen, configuredAbove.orElse(NONE));
    if (known == NONE) {
      throw hidden(newest, version, e);
    }
    return known;
  }

  private static TableDamagedException hidden(Dataset newest, long version, Throwable cause) {
    return new TableDamagedException(
        "the watermark of " + newest.uri() + " is hidden by version " + version, cause);
  }

  /**
   * The owner epoch of the version that {@code newest} shows; 0 if there never was an owner. A
   * stranger's commit bears none, and may have wiped the configuration (Lance's own {@code
   * updateConfig} in Java replaces all of it) or gone back to an older one: then the commits below
   * tell.
   */
  static long ownerEpoch(Dataset newest) {
    long epoch = 0;
    for (long version = newest.version(); version >= 1; version--) {
      try (Dataset at = newest.checkoutVersion(version)) {
        epoch = Math.max(epoch, configured(at, TableProperties.OWNER_EPOCH).orElse(0));
        if (!(CommitRecord.of(at) instanceof CommitRecord.Known readable)) {
          return epoch;
        }
        if (readable.ownerEpoch().isPresent()) {
          return Math.max(epoch, readable.ownerEpoch().getAsLong());
        }
      } catch (TableException e) {
        throw e;
      } catch (Exception e) {
        // Removed, unless storage fails: either way what is above must suffice. An index commit,
        // which bears none itself, may be the oldest version that is kept.
        if (epoch == 0) {
          throw LanceErrors.table("reading the owner of " + newest.uri(), e);
        }
        return epoch;
      }
    }
    return epoch;
  }

  static OptionalLong configured(Dataset dataset, String name) {
    return CommitRecord.number(dataset.getConfig(), name);
  }
}
