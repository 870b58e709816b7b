package io.contextstore.table;

/**
 * A table after its owner took it.
 *
 * @param reader the table at its newest version; the caller closes it
 * @param watermark number of the last log segment whose rows are in it
 */
public record OwnedTable(TableReader reader, long watermark) {
  /** What to remember beside the log: this version is on disk with all its files. */
  public SyncedVersion synced() {
    return new SyncedVersion(reader.version(), watermark);
  }
}
