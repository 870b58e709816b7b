package io.contextstore.read;

import io.contextstore.generation.Chunk;
import io.contextstore.generation.KeyBytes;
import io.contextstore.table.TableScan;
import java.util.List;
import java.util.OptionalLong;
import org.apache.arrow.memory.util.ByteFunctionHelpers;
import org.apache.arrow.vector.VarCharVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.jspecify.annotations.Nullable;

/**
 * A page in the order of ids: merges a base scan that is ordered by id with the visible rows of the
 * generations, sorted beforehand. Passes over {@code offset} rows and ends after {@code limit}.
 * Owns the scan.
 */
final class OrderedCursor implements RowCursor {
  private static final int MOST_ROWS_A_STEP = 4096;

  /** A row of a generation. */
  record Place(Chunk chunk, int row) implements Comparable<Place> {
    @Override
    public int compareTo(Place other) {
      return compareKeys(chunk.ids(), row, other.chunk.ids(), other.row);
    }
  }

  private final Snapshot snapshot;
  private final TableScan scan;
  private final List<Place> places;
  private long toSkip;
  private long left;
  private int place;
  private @Nullable VectorSchemaRoot batch;
  private int row;
  private boolean scanEnded;
  private final Selection selection = new Selection();

  /**
   * Takes over {@code scan}.
   *
   * @param places the rows of the generations, in order
   */
  OrderedCursor(
      Snapshot snapshot, TableScan scan, List<Place> places, long offset, OptionalLong limit) {
    this.snapshot = snapshot;
    this.scan = scan;
    this.places = places;
    this.toSkip = offset;
    this.left = limit.orElse(Long.MAX_VALUE);
  }

  /** The order of two keys: by unsigned bytes of UTF-8, which is the order of code points. */
  static int compareKeys(VarCharVector left, int leftRow, VarCharVector right, int rightRow) {
    return ByteFunctionHelpers.compare(
        left.getDataBuffer(),
        left.getStartOffset(leftRow),
        left.getEndOffset(leftRow),
        right.getDataBuffer(),
        right.getStartOffset(rightRow),
        right.getEndOffset(rightRow));
  }

  @Override
  public boolean next() {
    while (left > 0) {
      VectorSchemaRoot base = currentBase();
      Place next = place < places.size() ? places.get(place) : null;
      if (base == null && next == null) {
        return false;
      }
      boolean fromBase =
          next == null
              || (base != null
                  && compareKeys(StoreReader.ids(base), row, next.chunk().ids(), next.row()) < 0);
      // Runs of one source become one selection; the other source's next row ends a run.
      boolean some = fromBase ? runOfBase(checked(base), next) : runOfPlaces(checked(next), base);
      if (some) {
        return true;
      }
    }
    return false;
  }

  private static <T> T checked(@Nullable T value) {
    if (value == null) {
      throw new IllegalStateException("a row was chosen from a source that has ended");
    }
    return value;
  }

  /** The base batch whose row {@link #row} is next, or null at the end of the scan. */
  private @Nullable VectorSchemaRoot currentBase() {
    while (!scanEnded) {
      VectorSchemaRoot now = batch;
      if (now != null) {
        VarCharVector ids = StoreReader.ids(now);
        while (row < now.getRowCount() && snapshot.isShadowed(KeyBytes.of(ids, row))) {
          row++;
        }
        if (row < now.getRowCount()) {
          return now;
        }
      }
      if (scan.next()) {
        batch = scan.root();
        row = 0;
      } else {
        scanEnded = true;
        batch = null;
      }
    }
    return null;
  }

  private boolean runOfBase(VectorSchemaRoot base, @Nullable Place stop) {
    selection.restart(base);
    VarCharVector ids = StoreReader.ids(base);
    for (; row < base.getRowCount() && selection.count() < MOST_ROWS_A_STEP && left > 0; row++) {
      if (stop != null && compareKeys(ids, row, stop.chunk().ids(), stop.row()) > 0) {
        break;
      }
      if (!snapshot.isShadowed(KeyBytes.of(ids, row))) {
        take(row);
      }
    }
    return selection.count() > 0;
  }

  @SuppressWarnings("ReferenceEquality") // The same chunk, not one like it.
  private boolean runOfPlaces(Place first, @Nullable VectorSchemaRoot stop) {
    selection.restart(first.chunk().root());
    while (place < places.size() && selection.count() < MOST_ROWS_A_STEP && left > 0) {
      Place next = places.get(place);
      if (next.chunk() != first.chunk()) {
        break;
      }
      if (stop != null
          && compareKeys(next.chunk().ids(), next.row(), StoreReader.ids(stop), row) > 0) {
        break;
      }
      take(next.row());
      place++;
    }
    return selection.count() > 0;
  }

  private void take(int chosen) {
    if (toSkip > 0) {
      toSkip--;
    } else {
      selection.add(chosen);
      left--;
    }
  }

  @Override
  public Selection selection() {
    return selection;
  }

  @Override
  public void close() {
    scan.close();
  }
}
