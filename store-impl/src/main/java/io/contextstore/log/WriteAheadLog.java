package io.contextstore.log;

import java.time.Duration;
import java.util.List;

/**
 * An append-only row of frames in numbered segments, durable and ordered.
 *
 * <p>LSNs are consecutive over the life of a store, from 1; a seal takes one too. Exactly one
 * segment is active, the one with the highest number; all others are sealed and never change until
 * they are dropped.
 *
 * <p>Threads: {@link #append} and {@link #seal} belong to one thread at a time, the single writer;
 * everything else may be called from any thread at any time and never waits for the writer.
 *
 * <p>Implementers must
 *
 * <ul>
 *   <li>return from {@link #append} only when every frame of the group would survive the loss of
 *       power, and give the frames consecutive LSNs from {@link #nextLsn};
 *   <li>on a failed append remove what the group may have left, or refuse everything from then on;
 *       an LSN given to a failed frame is given again only after that;
 *   <li>not copy bodies, and not touch one after the call has returned;
 *   <li>leave, at every moment, a state from which an open finds every acknowledged frame;
 *   <li>throw nothing but {@link LogException} for failures of storage, and {@link
 *       IllegalArgumentException} or {@link IllegalStateException} for misuse.
 * </ul>
 */
public interface WriteAheadLog {
  /**
   * Appends a group of frames and makes it durable. Blocks.
   *
   * @param group at least one frame
   * @throws LogWriteException if it failed; none of the group counts
   * @throws LogRefusedException if the log takes nothing any more
   */
  AppendResult append(List<FrameDraft> group);

  /**
   * Makes a large body durable outside the segments, on the calling thread, so that the writer does
   * not have to. Without a frame that is appended with it, it has no effect and does not outlive
   * the next open. Any number of threads at once. Blocks.
   *
   * @throws LogIoException if it could not be written
   * @throws LogRefusedException if the log takes nothing any more
   */
  StagedBody stage(FrameBody body);

  /**
   * Gives up a staged body that is surely in no frame. Does not wait; the space comes back at a
   * later drop.
   */
  void discard(StagedBody staged);

  /**
   * Closes the active segment for ever and opens the next one; both facts are durable on return.
   * Does nothing if the active segment holds no data. Blocks.
   *
   * @throws LogWriteException if it failed; if the log is still usable the segment is still active,
   *     else it may be sealed or not at the next open
   * @throws LogRefusedException if the log takes nothing any more
   */
  SealOutcome seal();

  /** LSN of the next frame. Exact on the writer's thread, a lower bound elsewhere. */
  long nextLsn();

  /** The segments in order, the active one last. A snapshot from memory. */
  List<SegmentInfo> segments();

  /**
   * Reads the frames of a segment that were durable at the time of the call.
   *
   * @return a reader at the segment's start, to be closed by the caller, and before the segment is
   *     dropped
   * @throws IllegalArgumentException if there is no such segment
   * @throws LogIoException if it cannot be opened
   */
  SegmentReader read(long segment);

  /**
   * Removes the sealed segments up to and including {@code segment}, oldest first; their rows are
   * durable elsewhere. The active one always stays. Repeating it is harmless. One thread at a time.
   *
   * @throws LogIoException if one could not be removed; it and those behind it are still listed
   */
  void dropThrough(long segment);

  /**
   * Makes the log refuse every append and seal from now on, also one that is running and has not
   * reached its effect yet. For a call that hangs. Does not wait.
   *
   * @param reason cause of the refusals
   */
  void abandon(LogException reason);

  /**
   * Refuses everything new, waits for a running append or seal and releases what the log holds. May
   * be repeated. An acknowledged frame never depends on it.
   *
   * @param patience how long to wait for the running call
   */
  CloseOutcome close(Duration patience);
}
