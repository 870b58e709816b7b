package io.contextstore.read;

import io.contextstore.api.RowKey;
import io.contextstore.api.schema.StoreSchema;
import io.contextstore.filter.KeyFilters;
import io.contextstore.generation.KeyBytes;
import io.contextstore.generation.Match;
import io.contextstore.table.ScanRequest;
import io.contextstore.table.TableReader;
import io.contextstore.table.TableScan;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VarCharVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.jspecify.annotations.Nullable;

/**
 * The rows of given keys in their order; missing keys are left out. Works on a group of keys at a
 * time, so that at most {@link KeyFilters#MAX_KEYS} base rows are in memory.
 */
final class KeyedCursor implements RowCursor {
  private final Snapshot snapshot;
  private final TableReader base;
  private final BufferAllocator allocator;
  private final List<RowKey> keys;
  private final Supplier<ScanRequest> columns;
  private final List<Found> found = new ArrayList<>();
  private int nextGroup;
  private int nextFound;
  private @Nullable VectorSchemaRoot baseRows;
  private final Selection selection = new Selection();

  private record Found(VectorSchemaRoot root, int row) {}

  /**
   * Prepares to read.
   *
   * @param keys without duplicates
   * @param columns the columns wanted, with the id among them; asked for each group of keys,
   *     because a deadline counts from the start of its scan
   */
  KeyedCursor(
      Snapshot snapshot,
      TableReader base,
      BufferAllocator allocator,
      List<RowKey> keys,
      Supplier<ScanRequest> columns) {
    this.snapshot = snapshot;
    this.base = base;
    this.allocator = allocator;
    this.keys = keys;
    this.columns = columns;
  }

  @Override
  @SuppressWarnings("ReferenceEquality") // The same batch, not one like it.
  public boolean next() {
    while (nextFound == found.size()) {
      if (nextGroup == keys.size()) {
        return false;
      }
      int end = Math.min(keys.size(), nextGroup + KeyFilters.MAX_KEYS);
      load(keys.subList(nextGroup, end));
      nextGroup = end;
      nextFound = 0;
    }
    VectorSchemaRoot root = found.get(nextFound).root();
    selection.restart(root);
    while (nextFound < found.size() && found.get(nextFound).root() == root) {
      selection.add(found.get(nextFound++).row());
    }
    return true;
  }

  private void load(List<RowKey> group) {
    found.clear();
    releaseBaseRows();
    Map<RowKey, Match> matches = new HashMap<>();
    List<RowKey> unknown = new ArrayList<>();
    for (RowKey key : group) {
      Match match = snapshot.find(KeyBytes.of(key.utf8()));
      matches.put(key, match);
      if (match instanceof Match.Absent) {
        unknown.add(key);
      }
    }
    Map<RowKey, Found> inBase = unknown.isEmpty() ? Map.of() : loadBase(unknown);
    for (RowKey key : group) {
      if (matches.get(key) instanceof Match.Live live) {
        found.add(new Found(live.chunk().root(), live.row()));
      } else {
        Found row = inBase.get(key);
        if (row != null) {
          found.add(row);
        }
      }
    }
  }

  private Map<RowKey, Found> loadBase(List<RowKey> unknown) {
    Map<RowKey, Found> rows = new HashMap<>();
    try (TableScan scan = base.scan(columns.get().matching(KeyFilters.in(unknown)))) {
      while (scan.next()) {
        VectorSchemaRoot batch = scan.root();
        VectorSchemaRoot into = baseRows;
        if (into == null) {
          into = VectorSchemaRoot.create(batch.getSchema(), allocator);
          into.getFieldVectors().forEach(vector -> vector.setInitialCapacity(unknown.size()));
          baseRows = into;
        }
        int first = into.getRowCount();
        append(batch, into);
        VarCharVector ids = StoreReader.ids(into);
        for (int row = first; row < into.getRowCount(); row++) {
          rows.put(
              RowKey.of(new String(ids.get(row), StandardCharsets.UTF_8)), new Found(into, row));
        }
      }
    }
    return rows;
  }

  private static void append(VectorSchemaRoot batch, VectorSchemaRoot into) {
    int first = into.getRowCount();
    for (int column = 0; column < into.getFieldVectors().size(); column++) {
      FieldVector source = batch.getVector(column);
      FieldVector target = into.getVector(column);
      for (int row = 0; row < batch.getRowCount(); row++) {
        target.copyFromSafe(row, first + row, source);
      }
    }
    into.setRowCount(first + batch.getRowCount());
  }

  private void releaseBaseRows() {
    VectorSchemaRoot rows = baseRows;
    baseRows = null;
    if (rows != null) {
      rows.close();
    }
  }

  @Override
  public Selection selection() {
    return selection;
  }

  @Override
  public void close() {
    releaseBaseRows();
  }

  /** The columns of a scan that needs the id beside {@code wanted}. */
  static List<String> withId(List<String> wanted) {
    if (wanted.contains(StoreSchema.ID)) {
      return wanted;
    }
    List<String> columns = new ArrayList<>(wanted);
    columns.add(StoreSchema.ID);
    return columns;
  }
}
