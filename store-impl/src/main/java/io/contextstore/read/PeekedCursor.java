package io.contextstore.read;

import io.contextstore.view.Pin;

/**
 * The cursor that leaves this package: its first batch is read already, so that what can fail
 * because of the request has failed, and it owns the pin beside the rows.
 */
final class PeekedCursor implements RowCursor {
  private final Pin pin;
  private final RowCursor rows;
  private boolean peeked;
  private boolean more;

  private PeekedCursor(Pin pin, RowCursor rows) {
    this.pin = pin;
    this.rows = rows;
    this.more = rows.next();
    this.peeked = true;
  }

  /** Takes over both; when the first step fails, both are closed. */
  static PeekedCursor open(Pin pin, RowCursor rows) {
    try {
      return new PeekedCursor(pin, rows);
    } catch (RuntimeException | Error e) {
      try (pin) {
        rows.close();
      }
      throw e;
    }
  }

  @Override
  public boolean next() {
    if (!peeked && more) {
      more = rows.next();
    }
    peeked = false;
    return more;
  }

  @Override
  public Selection selection() {
    return rows.selection();
  }

  @Override
  public void close() {
    try (pin) {
      rows.close();
    }
  }
}
