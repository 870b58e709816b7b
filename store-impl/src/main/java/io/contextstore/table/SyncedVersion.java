package io.contextstore.table;

/**
 * A version of a table that is known to be on disk with all its files. The owner remembers it
 * beside the log and keeps every segment above its watermark.
 *
 * @param version the version; 0 when none is known
 * @param watermark the log's watermark at that version
 */
public record SyncedVersion(long version, long watermark) {
  /** Nothing is known to be synced. */
  public static final SyncedVersion NONE = new SyncedVersion(0, 0);
}
