package io.contextstore.table;

/** What became of the upkeep of an index. The rows of the table are the same after each of them. */
public sealed interface IndexOutcome {
  /**
   * The index covers all rows, and is synced.
   *
   * @param version the version that has it
   */
  record Done(long version) implements IndexOutcome {}

  /** The limits are kept: nothing was written. */
  record NotDue() implements IndexOutcome {}

  /**
   * Another writer came first; no index was written.
   *
   * @param reason what Lance said
   */
  record Conflict(String reason) implements IndexOutcome {}

  /**
   * A commit may have landed, may land later, landed on something else than what it had read, or is
   * not surely on disk. {@link BaseTables#takeOwnership Take ownership} again.
   *
   * @param cause what happened
   */
  record Unknown(Throwable cause) implements IndexOutcome {}
}
