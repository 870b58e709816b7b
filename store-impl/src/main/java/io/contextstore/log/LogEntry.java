package io.contextstore.log;

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

  /** A frame to write. */
  static final class ToAppend<T> extends LogEntry<T> {
    private final FrameDraft draft;
    private final T payload;
    private final CompletableFuture<Long> lsn = new CompletableFuture<>();

    ToAppend(FrameDraft draft, T payload) {
      this.draft = draft;
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
      return draft.body().length();
    }

    @Override
    int items() {
      return 1;
    }

    @Override
    void unused() {
      draft.body().unused();
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
