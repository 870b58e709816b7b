package io.contextstore.log;

import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * One entry of a writer's queue. Compared by identity: two equal frames are still two.
 *
 * @param <T> what travels beside a frame
 */
abstract sealed class LogEntry<T> {
  /** Bytes that it counts in the queue. */
  abstract int bytes();

  /** Frames that it counts in the queue. */
  abstract int items();

  /** The log does not read its memory any more. */
  abstract void unused();

  abstract void fail(RuntimeException reason);

  /** The body that was staged for it, if one was. */
  Optional<StagedBody> staged() {
    return Optional.empty();
  }

  /** A frame to write. */
  static final class ToAppend<T> extends LogEntry<T> {
    private final FrameDraft draft;
    private final FrameBody body;
    private final T payload;
    private final CompletableFuture<Long> lsn = new CompletableFuture<>();

    /** A frame whose bytes are in {@code body}, and in {@code draft} as they are to be written. */
    ToAppend(FrameDraft draft, FrameBody body, T payload) {
      this.draft = draft;
      this.body = body;
      this.payload = payload;
    }

    FrameDraft draft() {
      return draft;
    }

    T payload() {
      return payload;
    }

    CompletableFuture<Long> lsn() {
      return lsn;
    }

    @Override
    int bytes() {
      // A staged body does not pass through the queue.
      return draft.content() instanceof FrameBody inline ? inline.length() : 0;
    }

    @Override
    int items() {
      return 1;
    }

    @Override
    void unused() {
      body.unused();
    }

    @Override
    Optional<StagedBody> staged() {
      return draft.content() instanceof StagedBody staged ? Optional.of(staged) : Optional.empty();
    }

    @Override
    void fail(RuntimeException reason) {
      lsn.completeExceptionally(reason);
    }
  }

  /** A request to seal. Counts nothing: it must get through when memory is short. */
  static final class ToSeal<T> extends LogEntry<T> {
    private final CompletableFuture<SealOutcome> outcome = new CompletableFuture<>();

    CompletableFuture<SealOutcome> outcome() {
      return outcome;
    }

    @Override
    int bytes() {
      return 0;
    }

    @Override
    int items() {
      return 0;
    }

    @Override
    void unused() {}

    @Override
    void fail(RuntimeException reason) {
      outcome.completeExceptionally(reason);
    }
  }
}
