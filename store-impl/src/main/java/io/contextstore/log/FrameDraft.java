package io.contextstore.log;

/**
 * A frame that has no LSN yet.
 *
 * @param kind {@link FrameKind#ROWS} or {@link FrameKind#TOMBSTONES}
 * @param content its bytes
 */
public record FrameDraft(FrameKind kind, FrameContent content) {
  /** Refuses kinds that are internal to a log. */
  public FrameDraft {
    if (!kind.isData()) {
      throw new IllegalArgumentException(
          "frames of kind " + kind + " are written by the log itself");
    }
  }
}
