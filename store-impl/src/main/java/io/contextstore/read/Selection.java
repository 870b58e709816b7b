package io.contextstore.read;

import java.util.Arrays;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.jspecify.annotations.Nullable;

/**
 * Some rows of one batch, in order. Reused by the cursor that hands it out: valid until the next
 * step.
 */
public final class Selection {
  private @Nullable VectorSchemaRoot root;
  private int[] rows = new int[16];
  private int count;

  /** The batch; it has at least the columns that were asked for. */
  public VectorSchemaRoot root() {
    if (root == null) {
      throw new IllegalStateException("no row yet");
    }
    return root;
  }

  /** How many rows are selected. */
  public int count() {
    return count;
  }

  /** The row number, within the batch, of selected row {@code index}. */
  public int row(int index) {
    return rows[index];
  }

  void restart(VectorSchemaRoot newRoot) {
    root = newRoot;
    count = 0;
  }

  void add(int row) {
    if (count == rows.length) {
      rows = Arrays.copyOf(rows, count * 2);
    }
    rows[count++] = row;
  }

  /** Keeps the first {@code most} rows. */
  void truncate(int most) {
    count = Math.min(count, most);
  }
}
