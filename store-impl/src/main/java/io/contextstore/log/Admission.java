package io.contextstore.log;

/** A listener's word on a frame, just before it is written. */
public sealed interface Admission {
  /** Write it. */
  record Accept() implements Admission {}

  /**
   * Do not write it; its future fails with {@code reason}.
   *
   * @param reason passed on as it is
   */
  record Reject(RuntimeException reason) implements Admission {}

  /** The one {@link Accept}. */
  Accept ACCEPT = new Accept();
}
