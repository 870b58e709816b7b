package io.contextstore.log;

import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;

/**
 * File calls on threads that somebody may interrupt. A channel closes itself when its thread is
 * interrupted; a pool that shuts down interrupts its threads, and that must not cost a log its
 * file. The thread's interrupt flag is kept in any case.
 */
final class Uninterrupted {
  /** Something that does I/O. */
  interface Call {
    void run() throws IOException;
  }

  private Uninterrupted() {}

  /**
   * Holds a pending interrupt back until the call is over. One that comes in the middle fails it.
   */
  static void once(Call call) throws IOException {
    boolean interrupted = Thread.interrupted();
    try {
      call.run();
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /** As {@link #once}, and repeats the call, which must be harmless, if one comes in the middle. */
  static void repeatedly(Call call) throws IOException {
    boolean interrupted = false;
    try {
      while (true) {
        interrupted |= Thread.interrupted();
        try {
          call.run();
          return;
        } catch (ClosedByInterruptException e) {
          interrupted = true;
        }
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
