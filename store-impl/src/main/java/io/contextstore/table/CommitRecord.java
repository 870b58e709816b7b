package io.contextstore.table;

import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.lance.Dataset;
import org.lance.Transaction;
import org.lance.operation.Restore;

/** What Lance recorded about the commit that made a version. */
sealed interface CommitRecord {
  /**
   * A readable one.
   *
   * @param readVersion the version that the commit had read
   * @param uuid its identity
   * @param restored the version that it went back to, when it is a {@code Restore}
   * @param properties what its writer noted
   */
  record Known(long readVersion, String uuid, OptionalLong restored, Map<String, String> properties)
      implements CommitRecord {

    boolean isFloor() {
      return TableProperties.KIND_FLOOR.equals(properties.get(TableProperties.COMMIT_KIND));
    }

    OptionalLong ownerEpoch() {
      return number(properties, TableProperties.OWNER_EPOCH);
    }

    OptionalLong watermark() {
      return number(properties, TableProperties.WATERMARK);
    }
  }

  /**
   * One that Lance's Java API cannot show.
   *
   * @param compaction whether it is surely a compaction of an indexed table
   * @param cause why
   */
  record Unreadable(boolean compaction, Throwable cause) implements CommitRecord {}

  /** Reads the record of the version that a handle shows. */
  static CommitRecord of(Dataset dataset) {
    try {
      Optional<Transaction> found = dataset.readTransaction();
      if (found.isEmpty()) {
        return new Unreadable(
            false, new TableException("version " + dataset.version() + " has no transaction"));
      }
      try (Transaction transaction = found.get()) {
        OptionalLong restored =
            transaction.operation() instanceof Restore restore
                ? OptionalLong.of(restore.version())
                : OptionalLong.empty();
        return new Known(
            transaction.readVersion(),
            transaction.uuid(),
            restored,
            transaction.transactionProperties().orElse(Map.of()));
      }
    } catch (Exception e) {
      return new Unreadable(LanceErrors.isUnreadableCompaction(e), e);
    }
  }

  /** A number among properties or configuration. */
  static OptionalLong number(Map<String, String> values, String name) {
    String text = values.get(name);
    if (text == null) {
      return OptionalLong.empty();
    }
    try {
      return OptionalLong.of(Long.parseLong(text));
    } catch (NumberFormatException e) {
      throw new TableDamagedException(name + " is not a number: " + text, e);
    }
  }
}
