package io.contextstore.table;

import java.util.Iterator;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.types.pojo.Schema;
import org.lance.Dataset;
import org.lance.ReadOptions;
import org.lance.Session;

/**
 * What all tables of the process share: Lance's native library, one bounded cache session, an Arrow
 * allocator, and the planner threads. One a process; everything that it handed out is closed before
 * it. Safe for any number of threads.
 */
public final class TableEngine implements AutoCloseable {
  private final BufferAllocator allocator;
  private final Session session;
  private final PlannerThreads requestPlanners;
  private final PlannerThreads maintenancePlanners;
  private final Scans requestScans;
  private final Scans maintenanceScans;
  private final Runnable ioCheck;
  private final SyncThreads sync;

  private TableEngine(
      TableEngineSettings settings, BufferAllocator parent, Runnable ioCheck, FileSync sync) {
    this.ioCheck = ioCheck;
    this.sync = new SyncThreads(sync);
    session =
        Session.builder()
            .indexCacheSizeBytes(settings.indexCacheBytes())
            .metadataCacheSizeBytes(settings.metadataCacheBytes())
            .build();
    allocator = parent.newChildAllocator("tables", 0, Long.MAX_VALUE);
    requestPlanners =
        new PlannerThreads("table-planner", settings.requestPlanners(), settings.stackBytes());
    maintenancePlanners =
        new PlannerThreads(
            "table-merge-planner", settings.maintenancePlanners(), settings.stackBytes());
    requestScans = new Scans(requestPlanners, ioCheck);
    maintenanceScans = new Scans(maintenancePlanners, ioCheck);
  }

  /**
   * Loads the native library (1.5–3 s, once a process) and starts the engine.
   *
   * @param parent the process's root allocator, or a child of it: batches that are handed to the
   *     engine must belong to the same root
   * @param ioCheck called at the start of every operation that reaches Lance or a file, on the
   *     caller's thread; throws where I/O is forbidden
   */
  public static TableEngine start(
      TableEngineSettings settings, BufferAllocator parent, Runnable ioCheck) {
    return start(settings, parent, ioCheck, FileSync.FORCE);
  }

  static TableEngine start(
      TableEngineSettings settings, BufferAllocator parent, Runnable ioCheck, FileSync sync) {
    ioCheck.run();
    return new TableEngine(settings, parent, ioCheck, sync);
  }

  /** The tables of the stores. */
  public BaseTables tables() {
    return new BaseTables(this);
  }

  /**
   * Copies rows into a table in memory, so that a filter can be tried on them.
   *
   * @param schema schema of the batches
   * @param batches the rows; each batch stays the caller's and is read before the next is asked for
   */
  public MemoryTable memoryTable(Schema schema, Iterator<VectorSchemaRoot> batches) {
    ioCheck.run();
    return MemoryTable.copyOf(this, schema, batches);
  }

  Dataset openNewest(TableLocation location) {
    return open(location, new ReadOptions.Builder(), session);
  }

  Dataset open(TableLocation location, long version) {
    return open(location, new ReadOptions.Builder().setVersion(version), session);
  }

  /**
   * Opens a version that may turn out damaged, through a session of its own: the shared caches must
   * never hold something under a version number that will be given out again.
   */
  Dataset openSuspect(TableLocation location, long version, Session own) {
    return open(location, new ReadOptions.Builder().setVersion(version), own);
  }

  private Dataset open(TableLocation location, ReadOptions.Builder options, Session in) {
    return Dataset.open()
        .allocator(allocator)
        .uri(location.uri())
        .readOptions(options.setStorageOptions(location.storageOptions()).setSession(in).build())
        .build();
  }

  BufferAllocator allocator() {
    return allocator;
  }

  Session session() {
    return session;
  }

  Scans requestScans() {
    return requestScans;
  }

  Scans maintenanceScans() {
    return maintenanceScans;
  }

  SyncThreads sync() {
    return sync;
  }

  void ioCheck() {
    ioCheck.run();
  }

  Runnable ioCheckHook() {
    return ioCheck;
  }

  /**
   * Waits up to half a minute for native calls that run, then frees everything.
   *
   * @throws TableException when a native call hangs: its memory is then left alone
   * @throws IllegalStateException when something that the engine handed out is still open
   */
  @Override
  public void close() {
    ioCheck.run();
    requestPlanners.close();
    maintenancePlanners.close();
    sync.close();
    session.close();
    allocator.close();
  }
}
