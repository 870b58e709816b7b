package io.contextstore.table;

/** Names in Lance's transaction properties and table configuration: part of the on-disk format. */
final class TableProperties {
  /**
   * Number of the last log segment whose rows are in the table. In properties and configuration.
   */
  static final String WATERMARK = "contextstore.watermark";

  /** The owner that made the commit. In properties and configuration. */
  static final String OWNER_EPOCH = "contextstore.owner-epoch";

  /** What kind of commit it is; see the values below. In properties only. */
  static final String COMMIT_KIND = "contextstore.commit";

  static final String KIND_MERGE = "merge";
  static final String KIND_FLOOR = "floor";
  static final String KIND_BARRIER = "barrier";

  private TableProperties() {}
}
