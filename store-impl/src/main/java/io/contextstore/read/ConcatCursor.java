package io.contextstore.read;

import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** One cursor after the other; the second one is opened when the first has ended. Owns both. */
final class ConcatCursor implements RowCursor {
  private final RowCursor first;
  private final Supplier<RowCursor> openSecond;
  private boolean firstEnded;
  private @Nullable RowCursor second;
  private boolean peeked;
  private boolean peekedRows;

  ConcatCursor(RowCursor first, Supplier<RowCursor> openSecond) {
    this.first = first;
    this.openSecond = openSecond;
  }

  /**
   * Opens the second cursor and steps it, before any row of the first one: what is wrong with the
   * request shows now and not in the middle of an answer. When it throws, nothing is left open.
   */
  ConcatCursor peekSecond() {
    try {
      peekedRows = opened().next();
      peeked = true;
      return this;
    } catch (RuntimeException | Error e) {
      close();
      throw e;
    }
  }

  private RowCursor opened() {
    RowCursor now = second;
    if (now == null) {
      now = openSecond.get();
      second = now;
    }
    return now;
  }

  @Override
  public boolean next() {
    if (!firstEnded) {
      if (first.next()) {
        return true;
      }
      firstEnded = true;
    }
    if (peeked) {
      peeked = false;
      return peekedRows;
    }
    return opened().next();
  }

  @Override
  public Selection selection() {
    return firstEnded ? opened().selection() : first.selection();
  }

  @Override
  public void close() {
    RowCursor now = second;
    try (first) {
      if (now != null) {
        now.close();
      }
    }
  }
}
