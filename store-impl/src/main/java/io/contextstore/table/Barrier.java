package io.contextstore.table;

import java.util.Map;
import java.util.function.Supplier;
import org.lance.Dataset;
import org.lance.operation.Restore;

/**
 * The commit that shuts out every commit that was prepared before it.
 *
 * <p>Lance rebases a late append or update over anything but a {@code Restore}. So a new owner, and
 * whoever does not know what became of its commit, restores the newest version r while reading r:
 * the rows stay as they are, and stale commits are refused from then on.
 *
 * <p>A {@code Restore} itself is never refused. If it lands at b with b ≠ r + 1, then commits
 * landed in between and it has undone them. Such a restore is called <em>unclean</em>, and is
 * recognised by its record alone: {@code b ≠ read version + 1}. (Its target does not tell: the
 * restore that mends goes back by two, and a user's goes back as far as the user wants.) What the
 * table should show at an unclean restore is what it should have shown one version before; the next
 * restore goes there. That makes one rule for a restore of our own that landed late, for one that a
 * crashed owner left behind, and for several owners at once.
 */
final class Barrier {
  private static final int MOST_ATTEMPTS = 20;

  private Barrier() {}

  /**
   * Commits a barrier, mending unclean restores, until one lands cleanly.
   *
   * @param openNewest opens a handle at the newest version
   * @return the commit that landed, and the version that it had read
   */
  static Placed place(Supplier<Dataset> openNewest, Map<String, String> properties) {
    for (int attempt = 0; attempt < MOST_ATTEMPTS; attempt++) {
      try (Dataset newest = openNewest.get()) {
        long read = newest.version();
        Restore restore = Restore.builder().version(intended(newest)).build();
        switch (Landing.of(newest, restore, properties)) {
          case Landing.Landed landed -> {
            if (landed.version() == read + 1) {
              return new Placed(read, landed);
            }
          }
          // Another writer was faster to that version number: look again.
          case Landing.Refused refused -> {}
          case Landing.Lost lost ->
              throw new TableException("the barrier of " + newest.uri() + " failed", lost.cause());
        }
      }
    }
    throw new TableException("other writers kept committing while a barrier was tried");
  }

  /** The version that has what {@code newest} should show. */
  private static long intended(Dataset newest) {
    for (long version = newest.version(); version > 1; version--) {
      if (!isUncleanRestore(newest, version)) {
        return version;
      }
    }
    return 1;
  }

  private static boolean isUncleanRestore(Dataset newest, long version) {
    try (Dataset at = newest.checkoutVersion(version)) {
      return switch (CommitRecord.of(at)) {
        case CommitRecord.Known record ->
            record.restored().isPresent() && version != record.readVersion() + 1;
        case CommitRecord.Unreadable unreadable -> {
          if (unreadable.compaction()) {
            yield false;
          }
          throw new TableDamagedException(
              "what version " + version + " of " + newest.uri() + " did cannot be read",
              unreadable.cause());
        }
      };
    }
  }

  /**
   * A barrier that holds.
   *
   * @param readVersion the version before it
   * @param landed where it is
   */
  record Placed(long readVersion, Landing.Landed landed) {}
}
