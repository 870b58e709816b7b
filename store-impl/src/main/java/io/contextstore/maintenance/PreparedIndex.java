package io.contextstore.maintenance;

/** The coordinator's answer to upkeep of an index that is asked for. */
public sealed interface PreparedIndex {
  /** Go ahead. The receiver must commit or abandon the plan. */
  record Ready(IndexPlan plan) implements PreparedIndex {}

  /** The index covers enough, or the table is too small for one. */
  record NotDue() implements PreparedIndex {}

  /** The store is closed, or must be opened again first. */
  record NotServing() implements PreparedIndex {}

  /** Another pass works on the store; what it leaves is looked at when it ends. */
  record Busy() implements PreparedIndex {}
}
