package io.contextstore.view;

import java.util.concurrent.atomic.AtomicInteger;
import org.apache.arrow.vector.VectorSchemaRoot;

/**
 * A batch on its way through the log. The log reads its buffers while it writes; afterwards the
 * memtable owns it, or nobody does. It is freed when both have spoken: the log has let go of the
 * buffers, and the append has failed.
 */
final class PendingRows {
  private static final int LOG_DONE = 1;
  private static final int REFUSED = 2;
  private static final int APPLIED = 4;

  private final VectorSchemaRoot root;
  private final boolean tombstones;
  private final Runnable onRefused;
  private final AtomicInteger state = new AtomicInteger();

  /** Takes over {@code root}. {@code onRefused} runs once when the rows did not get in. */
  PendingRows(VectorSchemaRoot root, boolean tombstones, Runnable onRefused) {
    this.root = root;
    this.tombstones = tombstones;
    this.onRefused = onRefused;
  }

  VectorSchemaRoot root() {
    return root;
  }

  boolean tombstones() {
    return tombstones;
  }

  /** The memtable owns the batch from here on. */
  void applied() {
    state.getAndUpdate(now -> now | APPLIED);
  }

  /** The log does not read the buffers any more. */
  void logDone() {
    mark(LOG_DONE);
  }

  /** The append has failed. */
  void refused() {
    mark(REFUSED);
  }

  private void mark(int bit) {
    int before = state.getAndUpdate(now -> now | bit);
    boolean first = (before & bit) == 0;
    // Not if it was applied: that bit makes it another sum.
    if (first && (before | bit) == (LOG_DONE | REFUSED)) {
      root.close();
      onRefused.run();
    }
  }
}
