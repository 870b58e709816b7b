package io.contextstore.merge;

import io.contextstore.view.BaseVersion;

/** What became of the write step of a merge. */
public sealed interface MergeOutcome {
  /**
   * The rows are in the table, synced.
   *
   * @param base the table with them; the receiver takes over its reference
   * @param watermark the last segment whose rows it has
   * @param rows how many rows were written
   * @param replaced how many base rows were removed, because they were replaced or deleted
   */
  record Merged(BaseVersion base, long watermark, long rows, long replaced)
      implements MergeOutcome {}

  /**
   * Nothing is lost; the generations stay pending and a later pass redoes it.
   *
   * @param phase where it failed
   * @param cause why
   * @param reopen whether the table may have moved, so that the store must be opened anew before it
   *     serves again
   */
  record Failed(Phase phase, Throwable cause, boolean reopen) implements MergeOutcome {}

  /** The phases of a write step, as they are counted and timed. */
  enum Phase {
    LOOK_UP,
    WRITE,
    COMMIT,
    OPEN
  }
}
