package io.contextstore.log;

/** What a frame holds: bytes in memory, or bytes that the log has stored already. */
public sealed interface FrameContent permits FrameBody, StagedBody {
  /** Number of bytes that a reader will get. */
  int length();
}
