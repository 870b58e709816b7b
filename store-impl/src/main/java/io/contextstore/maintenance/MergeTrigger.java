package io.contextstore.maintenance;

/** Why a merge is asked for. */
public enum MergeTrigger {
  /** Enough generations are pending. The only one that asks for less than everything. */
  COUNT,
  /** The oldest pending generation is old enough. */
  CLEANUP,
  /** A user asked. */
  REQUESTED,
  /** The memory budget is nearly full. */
  MEMORY;

  /** The one of two that merges more. */
  MergeTrigger orStronger(MergeTrigger other) {
    return this == COUNT ? other : this;
  }
}
