package io.contextstore.table;

/** What became of a commit. There are three answers, and "unknown" is one of them. */
public sealed interface CommitOutcome {
  /**
   * It landed directly on the version that it had read, and is synced.
   *
   * @param version the new version
   */
  record Committed(long version) implements CommitOutcome {}

  /**
   * It surely did not land and never will: redo all of it, look-up included, from a new handle.
   *
   * @param reason what Lance said
   */
  record Conflict(String reason) implements CommitOutcome {}

  /**
   * It may have landed, may land later, landed on something else than what it had read, or is not
   * surely on disk. Delete nothing; {@link BaseTables#takeOwnership take ownership} again, and redo
   * what its watermark does not cover.
   *
   * @param cause what happened
   */
  record Unknown(Throwable cause) implements CommitOutcome {}
}
