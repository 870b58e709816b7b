package io.contextstore.read;

import io.contextstore.generation.Generation;
import io.contextstore.generation.KeyBytes;
import io.contextstore.generation.Match;
import io.contextstore.view.Pin;
import java.util.List;

/**
 * What the generations of a pinned view say at its visible LSN. Immutable; valid while the pin is
 * held.
 */
final class Snapshot {
  private final long lsn;
  private final List<Generation> newestFirst;

  Snapshot(Pin pin) {
    this.lsn = pin.visibleLsn();
    this.newestFirst = pin.view().newestFirst();
  }

  long lsn() {
    return lsn;
  }

  List<Generation> newestFirst() {
    return newestFirst;
  }

  /** The newest word on a key; absent means that the base table has it, if anything does. */
  Match find(KeyBytes key) {
    for (Generation generation : newestFirst) {
      Match match = generation.find(key, lsn);
      if (!(match instanceof Match.Absent)) {
        return match;
      }
    }
    return new Match.Absent();
  }

  /** Whether one of the {@code newer} newest generations has a word on the key. */
  boolean isShadowed(KeyBytes key, int newer) {
    for (int i = 0; i < newer; i++) {
      if (newestFirst.get(i).mentions(key, lsn)) {
        return true;
      }
    }
    return false;
  }

  /** Whether any generation has a word on the key, so that a base row of it does not count. */
  boolean isShadowed(KeyBytes key) {
    return isShadowed(key, newestFirst.size());
  }

  /** An upper bound of the base rows that the generations shadow. */
  long mostShadowed() {
    long rows = 0;
    for (Generation generation : newestFirst) {
      rows += generation.rowCount();
    }
    return rows;
  }
}
