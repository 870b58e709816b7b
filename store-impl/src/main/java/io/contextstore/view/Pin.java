package io.contextstore.view;

import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A reader's hold on a view, with the LSN that it reads at. Everything that is reached through the
 * pin is valid until {@link #close}; close it in a try-with-resources. Safe to hand to another
 * thread.
 */
public final class Pin implements AutoCloseable {
  private final View view;
  private final long visibleLsn;
  private final AtomicBoolean closed = new AtomicBoolean();

  /** Takes over one reference of {@code view}. */
  Pin(View view) {
    this.view = view;
    // Fixed after the view: sealed generations of the view are at or below it as a whole.
    this.visibleLsn = view.active().visibleLsn();
  }

  /** The snapshot. */
  public View view() {
    return view;
  }

  /** Rows with an LSN up to this one are visible. */
  public long visibleLsn() {
    return visibleLsn;
  }

  /** Lets the view go. Safe to call again. */
  @Override
  public void close() {
    if (closed.compareAndSet(false, true)) {
      view.release();
    }
  }
}
