package io.contextstore.table;

import io.contextstore.filter.RenderedFilter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.BigIntVector;
import org.apache.arrow.vector.IntVector;
import org.apache.arrow.vector.VarCharVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;
import org.apache.arrow.vector.types.pojo.Schema;
import org.lance.CommitBuilder;
import org.lance.Dataset;
import org.lance.Fragment;
import org.lance.FragmentMetadata;
import org.lance.Transaction;
import org.lance.WriteParams;
import org.lance.operation.Operation;

/**
 * An engine of its own for a test, and short ways to do what tests do. Closing checks for leaks.
 */
final class TableFixture implements AutoCloseable {
  static final long EPOCH = 3;

  static final Schema SCHEMA =
      new Schema(
          List.of(
              new Field(
                  "id",
                  new FieldType(
                      false,
                      ArrowType.Utf8.INSTANCE,
                      null,
                      Map.of("lance-schema:unenforced-primary-key", "true")),
                  null),
              Field.nullable("n", new ArrowType.Int(32, true)),
              Field.nullable("big", new ArrowType.Int(64, true)),
              Field.nullable("tag", ArrowType.Utf8.INSTANCE)));

  final RootAllocator root = new RootAllocator();
  final TableEngine engine;
  final BaseTables tables;
  final TableLocation location;
  final Path folder;

  /** Readers that a test leaves to the fixture. */
  final List<TableReader> opened = new ArrayList<>();

  TableFixture(Path temp) {
    this(temp, FileSync.FORCE, () -> {});
  }

  TableFixture(Path temp, FileSync sync, Runnable ioCheck) {
    engine =
        TableEngine.start(
            new TableEngineSettings(8 << 20, 8 << 20, 4, 2, 32L << 20), root, ioCheck, sync);
    tables = engine.tables();
    folder = temp.resolve("store.generic.0a1b2c3d.lance");
    location = TableLocation.local(folder);
  }

  /** Creates the table and takes it. */
  OwnedTable created() {
    tables.create(location, SCHEMA, EPOCH);
    return tables.takeOwnership(location, EPOCH, SyncedVersion.NONE);
  }

  /** Creates and takes the table and closes its reader. */
  void create() {
    created().reader().close();
  }

  /**
   * A batch of rows {@code id -> n}; {@code big} is n times a thousand, {@code tag} is null for odd
   * n.
   */
  VectorSchemaRoot batch(Map<String, Integer> rows) {
    return batch(root, rows);
  }

  static VectorSchemaRoot batch(BufferAllocator allocator, Map<String, Integer> rows) {
    VectorSchemaRoot batch = VectorSchemaRoot.create(SCHEMA, allocator);
    VarCharVector ids = (VarCharVector) batch.getVector("id");
    IntVector numbers = (IntVector) batch.getVector("n");
    BigIntVector bigs = (BigIntVector) batch.getVector("big");
    VarCharVector tags = (VarCharVector) batch.getVector("tag");
    int row = 0;
    for (Map.Entry<String, Integer> entry : rows.entrySet()) {
      int n = entry.getValue();
      ids.setSafe(row, entry.getKey().getBytes(StandardCharsets.UTF_8));
      numbers.setSafe(row, n);
      bigs.setSafe(row, n * 1000L);
      if (n % 2 == 0) {
        tags.setSafe(row, ("tag" + n % 10).getBytes(StandardCharsets.UTF_8));
      }
      row++;
    }
    batch.setRowCount(row);
    return batch;
  }

  static Map<String, Integer> numbered(String prefix, int from, int count) {
    Map<String, Integer> rows = new TreeMap<>();
    for (int i = from; i < from + count; i++) {
      rows.put("%s%06d".formatted(prefix, i), i);
    }
    return rows;
  }

  /** A whole pass that upserts rows and removes keys. */
  CommitOutcome merge(
      long epoch, long before, long after, Map<String, Integer> upserts, Set<String> removals) {
    try (MergePass pass = tables.beginMerge(location, epoch, before)) {
      prepare(pass, upserts, removals);
      return pass.commit(after);
    }
  }

  long merge(long before, long after, Map<String, Integer> upserts, String... removals) {
    return switch (merge(EPOCH, before, after, upserts, Set.of(removals))) {
      case CommitOutcome.Committed committed -> committed.version();
      case CommitOutcome.Conflict conflict -> throw new AssertionError(conflict.reason());
      case CommitOutcome.Unknown unknown -> throw new AssertionError(unknown.cause());
    };
  }

  FoundRows prepare(MergePass pass, Map<String, Integer> upserts, Set<String> removals) {
    FoundRows found =
        pass.findRows(
            (ids, row) -> {
              String id = new String(ids.get(row), StandardCharsets.UTF_8);
              return upserts.containsKey(id) || removals.contains(id);
            });
    pass.deleteRows(found);
    if (!upserts.isEmpty()) {
      try (VectorSchemaRoot batch = batch(upserts)) {
        pass.writeRows(SCHEMA, List.of(batch).iterator());
      }
    }
    return found;
  }

  /** All rows of the newest version. */
  Map<String, Integer> rows() {
    try (TableReader reader = tables.openReader(location)) {
      return rows(reader, Optional.empty());
    }
  }

  static Map<String, Integer> rows(TableReader reader, Optional<RenderedFilter> filter) {
    ScanRequest request = ScanRequest.of(List.of("id", "n"));
    Map<String, Integer> rows = new TreeMap<>();
    try (TableScan scan =
        reader.scan(filter.isPresent() ? request.matching(filter.get()) : request)) {
      while (scan.next()) {
        VarCharVector ids = (VarCharVector) scan.root().getVector("id");
        IntVector numbers = (IntVector) scan.root().getVector("n");
        for (int row = 0; row < scan.root().getRowCount(); row++) {
          String id = new String(ids.get(row), StandardCharsets.UTF_8);
          if (rows.put(id, numbers.get(row)) != null) {
            throw new AssertionError("twice in the table: " + id);
          }
        }
      }
    }
    return rows;
  }

  /** A commit as another program would make it: no properties of ours unless given. */
  long commitOn(long readVersion, Operation operation, Map<String, String> properties) {
    try (Dataset base = engine.open(location, readVersion);
        Transaction transaction =
            new Transaction.Builder()
                .readVersion(readVersion)
                .operation(operation)
                .transactionProperties(properties)
                .build();
        Dataset after =
            new CommitBuilder(base).maxRetries(0).skipAutoCleanup(true).execute(transaction)) {
      return after.version();
    }
  }

  /** Fragments that nothing has committed. */
  List<FragmentMetadata> write(Map<String, Integer> rows) {
    try (VectorSchemaRoot batch = batch(rows)) {
      return Fragment.write()
          .datasetUri(location.uri())
          .allocator(engine.allocator())
          .data(batch)
          .mode(WriteParams.WriteMode.APPEND)
          .execute();
    }
  }

  /** Something done to the table on a handle of its own, as by another program. */
  void onNewest(Consumer<Dataset> action) {
    try (Dataset dataset = engine.openNewest(location)) {
      action.accept(dataset);
    }
  }

  /** Lance's own updateConfig replaces the whole configuration, ours included. */
  @SuppressWarnings("deprecation")
  static void wipeConfig(Dataset dataset) {
    dataset.updateConfig(Map.of("a", "b"));
  }

  Path manifest(long version) {
    return folder.resolve("_versions").resolve(Long.toUnsignedString(~version) + ".manifest");
  }

  static RenderedFilter filter(String sql) {
    return new RenderedFilter(sql, Set.of());
  }

  static RenderedFilter idIs(String id) {
    String hex = HexFormat.of().formatHex(id.getBytes(StandardCharsets.UTF_8));
    return filter("id = CAST(X'" + hex + "' AS STRING)");
  }

  static Iterator<VectorSchemaRoot> iterator(VectorSchemaRoot... batches) {
    return new ArrayList<>(Arrays.asList(batches)).iterator();
  }

  @Override
  public void close() {
    opened.forEach(TableReader::close);
    engine.close();
    root.close();
  }
}
