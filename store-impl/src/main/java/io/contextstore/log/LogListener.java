package io.contextstore.log;

/**
 * Hears from a {@link LogWriter}, always on the writer's thread, one call at a time, in the order
 * of the log. Calls must be short and do no I/O: the store's appends wait for them.
 *
 * <p>For each group: {@link #admit} for each frame in order; then either {@link #durable} for each
 * admitted frame in order, or {@link #discarded} once. A group that was in flight when its deadline
 * passed gets neither; the writer is then at its end.
 *
 * <p>If {@code durable} or {@code sealed} throws, the log and what the listener knows have parted:
 * the writer refuses everything until the log is opened again.
 *
 * @param <T> what travels beside a frame
 */
public interface LogListener<T> {
  /**
   * Decides on a frame about to be written. Frames admitted earlier in the same group are not
   * durable yet; a listener that must see them remembers them itself.
   *
   * @param lsn what the frame will get if it is accepted
   */
  Admission admit(T payload, long lsn);

  /** The frame is durable. Called before its future completes. */
  void durable(long lsn, T payload);

  /**
   * The group that was admitted last was not written. Its LSNs, from {@code firstLsn} on, will be
   * given again.
   */
  void discarded(long firstLsn);

  /**
   * A segment was sealed; every frame that was durable so far is in it or before it, every later
   * one behind it.
   */
  void sealed(SegmentInfo segment, long nextSegment);
}
