package io.contextstore.read;

import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** One cursor after the other; the second one is opened when the first has ended. Owns both. */
final class ConcatCursor implements RowCursor {
  private final RowCursor first;
  private final Supplier<RowCursor> openSecond;
  private @Nullable RowCursor second;

  ConcatCursor(RowCursor first, Supplier<RowCursor> openSecond) {
    this.first = first;
    this.openSecond = openSecond;
  }

  @Override
  public boolean next() {
    RowCursor now = second;
    if (now == null) {
      if (first.next()) {
        return true;
      }
      now = openSecond.get();
      second = now;
    }
    return now.next();
  }

  @Override
  public Selection selection() {
    RowCursor now = second;
    return now == null ? first.selection() : now.selection();
  }

  @Override
  public void close() {
    RowCursor opened = second;
    try (first) {
      if (opened != null) {
        opened.close();
      }
    }
  }
}
