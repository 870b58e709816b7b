package io.contextstore.maintenance;

import io.contextstore.view.BaseVersion;

/** What became of the write step of an index. The rows are the same after each of them. */
public sealed interface IndexResult {
  /**
   * The index is there, synced.
   *
   * @param base the table with it; the receiver takes over its reference
   */
  record Indexed(BaseVersion base) implements IndexResult {}

  /** There was nothing to do after all. */
  record NotDue() implements IndexResult {}

  /**
   * The store goes on without it.
   *
   * @param cause why
   * @param reopen whether only a fresh opening tells what is in the table
   */
  record Failed(Throwable cause, boolean reopen) implements IndexResult {}
}
