package io.contextstore.table;

import java.util.Map;
import org.lance.CommitBuilder;
import org.lance.Dataset;
import org.lance.Transaction;
import org.lance.operation.Operation;

/** What became of one call of Lance's commit, before anything is concluded from it. */
sealed interface Landing {
  /** Identity of the commit. */
  String uuid();

  /**
   * It landed.
   *
   * @param version where; anything above the version that it had read
   */
  record Landed(String uuid, long version) implements Landing {}

  /** It surely did not land and never will. */
  record Refused(String uuid, String reason) implements Landing {}

  /** Nobody knows. */
  record Lost(String uuid, Throwable cause) implements Landing {}

  /**
   * Commits an operation that was prepared on {@code base}, once, without Lance's retries.
   *
   * <p>A refusal is not believed blindly: an object store that repeats a put whose answer was lost
   * finds its own object there and calls it a conflict. So the versions that came since are
   * searched for this commit.
   */
  static Landing of(Dataset base, Operation operation, Map<String, String> properties) {
    long read = base.version();
    try (Transaction transaction =
        new Transaction.Builder()
            .readVersion(read)
            .operation(operation)
            .transactionProperties(properties)
            .build()) {
      String uuid = transaction.uuid();
      try (Dataset after =
          new CommitBuilder(base).maxRetries(0).skipAutoCleanup(true).execute(transaction)) {
        return new Landed(uuid, after.version());
      } catch (Exception e) {
        return LanceErrors.isConflict(e) ? search(base, read, uuid, e) : new Lost(uuid, e);
      }
    }
  }

  private static Landing search(Dataset base, long read, String uuid, Exception refusal) {
    try {
      long latest = base.latestVersion();
      for (long version = read + 1; version <= latest; version++) {
        try (Dataset at = base.checkoutVersion(version)) {
          switch (CommitRecord.of(at)) {
            case CommitRecord.Known found -> {
              if (found.uuid().equals(uuid)) {
                return new Landed(uuid, version);
              }
            }
            case CommitRecord.Unreadable unreadable -> {
              // A compaction is not what we committed; anything else unreadable might be.
              if (!unreadable.compaction()) {
                return new Lost(uuid, unreadable.cause());
              }
            }
          }
        }
      }
      return new Refused(uuid, String.valueOf(refusal.getMessage()));
    } catch (Exception e) {
      e.addSuppressed(refusal);
      return new Lost(uuid, e);
    }
  }
}
