package io.contextstore.maintenance;

/** Why a merge is asked for. */
public enum MergeTrigger {
  /** Enough generations are pending. */
  COUNT,
  /** The oldest pending generation is old enough. */
  CLEANUP,
  /** A user asked. */
  REQUESTED,
  /** The memory budget is nearly full. */
  MEMORY
}
