package io.contextstore.read;

import io.contextstore.api.RowKey;
import io.contextstore.api.schema.StoreSchema;
import io.contextstore.filter.RenderedFilter;
import io.contextstore.read.OrderedCursor.Place;
import io.contextstore.table.Deadline;
import io.contextstore.table.ScanRequest;
import io.contextstore.table.TableReader;
import io.contextstore.table.TableScan;
import io.contextstore.view.Pin;
import io.contextstore.view.Store;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.PriorityQueue;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.VarCharVector;
import org.apache.arrow.vector.VectorSchemaRoot;

/**
 * Opens cursors over a store. Safe for use by many threads; each cursor pins the view of the moment
 * and must be closed.
 */
public final class StoreReader {
  private final BufferAllocator allocator;
  private final FilterTables filterTables;
  private final Duration deadline;

  /**
   * Makes a reader.
   *
   * @param allocator for rows that are put in order
   * @param filterTables filters the rows of generations
   * @param deadline how long a caller waits for a scan to be planned
   */
  public StoreReader(BufferAllocator allocator, FilterTables filterTables, Duration deadline) {
    this.allocator = allocator;
    this.filterTables = filterTables;
    this.deadline = deadline;
  }

  /** The key column of a batch. */
  static VarCharVector ids(VectorSchemaRoot root) {
    return (VarCharVector) root.getVector(StoreSchema.ID);
  }

  /**
   * Reads rows by key.
   *
   * @param keys without duplicates; the rows come in their order, missing ones are left out
   * @param columns columns of the store
   */
  public RowCursor byKeys(Store store, List<RowKey> keys, List<String> columns) {
    Pin pin = store.pin();
    try {
      KeyedCursor rows =
          new KeyedCursor(
              new Snapshot(pin), pin.view().base().reader(), allocator, keys, () -> scan(columns));
      return PeekedCursor.open(pin, rows);
    } catch (RuntimeException | Error e) {
      pin.close();
      throw e;
    }
  }

  /** Reads all rows that match, in no promised order, each key once. */
  public RowCursor all(Store store, Optional<RenderedFilter> filter, List<String> columns) {
    Pin pin = store.pin();
    try {
      Snapshot snapshot = new Snapshot(pin);
      TableReader base = pin.view().base().reader();
      ConcatCursor rows =
          new ConcatCursor(
              new GenerationCursor(snapshot, filter.map(filterTables::matcher)),
              () -> new BaseCursor(snapshot, base.scan(filtered(scan(columns), filter))));
      // A filter may fail on base rows only.
      return PeekedCursor.open(pin, filter.isPresent() ? rows.peekSecond() : rows);
    } catch (RuntimeException | Error e) {
      pin.close();
      throw e;
    }
  }

  /** Reads a page of the rows that match, in the order of their ids. */
  public RowCursor page(
      Store store,
      Optional<RenderedFilter> filter,
      List<String> columns,
      long offset,
      OptionalLong limit) {
    Pin pin = store.pin();
    try {
      Snapshot snapshot = new Snapshot(pin);
      OptionalLong wanted = sum(offset, limit);
      List<Place> places = firstPlaces(snapshot, filter, wanted);
      ScanRequest request = filtered(scan(columns), filter).orderedById();
      // Shadowed base rows are passed over, so that many more may be needed.
      OptionalLong fromBase = sum(snapshot.mostShadowed(), wanted);
      if (fromBase.isPresent()) {
        request = request.limitedTo(fromBase.getAsLong());
      }
      TableScan scan = pin.view().base().reader().scan(request);
      return PeekedCursor.open(pin, new OrderedCursor(snapshot, scan, places, offset, limit));
    } catch (RuntimeException | Error e) {
      pin.close();
      throw e;
    }
  }

  private static OptionalLong sum(long first, OptionalLong second) {
    if (second.isEmpty() || second.getAsLong() > Long.MAX_VALUE - first) {
      return OptionalLong.empty();
    }
    return OptionalLong.of(first + second.getAsLong());
  }

  /** The first {@code most} matching rows of the generations in the order of their ids. */
  private List<Place> firstPlaces(
      Snapshot snapshot, Optional<RenderedFilter> filter, OptionalLong most) {
    long bound = most.orElse(Long.MAX_VALUE);
    PriorityQueue<Place> smallest = new PriorityQueue<>(Collections.reverseOrder());
    try (GenerationCursor rows =
        new GenerationCursor(snapshot, filter.map(filterTables::matcher))) {
      while (bound > 0 && rows.next()) {
        Selection selection = rows.selection();
        for (int i = 0; i < selection.count(); i++) {
          smallest.add(new Place(rows.currentChunk(), selection.row(i)));
          if (smallest.size() > bound) {
            smallest.poll();
          }
        }
      }
    }
    List<Place> places = new ArrayList<>(smallest);
    Collections.sort(places);
    return places;
  }

  private ScanRequest scan(List<String> columns) {
    return ScanRequest.of(KeyedCursor.withId(columns)).until(Deadline.after(deadline));
  }

  private static ScanRequest filtered(ScanRequest request, Optional<RenderedFilter> filter) {
    return filter.isPresent() ? request.matching(filter.get()) : request;
  }
}
