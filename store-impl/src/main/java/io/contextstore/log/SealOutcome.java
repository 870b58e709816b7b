package io.contextstore.log;

/** What a seal did. */
public sealed interface SealOutcome {
  /**
   * The active segment was closed and the next one is open.
   *
   * @param segment the closed one
   * @param nextSegment number of the new active one
   */
  record Sealed(SegmentInfo segment, long nextSegment) implements SealOutcome {}

  /**
   * The active segment holds no data; nothing was done.
   *
   * @param activeSegment its number
   */
  record Empty(long activeSegment) implements SealOutcome {}
}
