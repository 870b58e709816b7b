package io.contextstore.log;

/** Whether a closed log or writer is really at rest. */
public enum CloseOutcome {
  /** Nothing of it runs any more. */
  CLOSED,
  /**
   * A call to storage had not returned in time and may still take effect. Nothing else of it will.
   * The same log must not be opened again by this process before {@code close} has answered {@link
   * #CLOSED}; calling it again is allowed.
   */
  CALL_STILL_RUNNING
}
