package io.contextstore.table;

import java.io.IOException;
import java.util.function.Supplier;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.ipc.ArrowReader;
import org.lance.ipc.LanceScanner;

/**
 * The rows of one scan, batch by batch. Used by one thread at a time; {@link #close} frees the
 * batch, so rows that must live longer are copied out first. Reading waits for storage but for no
 * other user of the table.
 */
public final class TableScan implements AutoCloseable {
  private final String what;
  private final boolean filtered;
  private final Runnable ioCheck;
  private final LanceScanner scanner;
  private final ArrowReader reader;
  private final VectorSchemaRoot root;
  private boolean closed;

  private TableScan(
      String what,
      boolean filtered,
      Runnable ioCheck,
      LanceScanner scanner,
      ArrowReader reader,
      VectorSchemaRoot root) {
    this.what = what;
    this.filtered = filtered;
    this.ioCheck = ioCheck;
    this.scanner = scanner;
    this.reader = reader;
    this.root = root;
  }

  /** Plans and starts a scan; must be called on a planner thread. */
  static TableScan start(
      String what, boolean filtered, Runnable ioCheck, Supplier<LanceScanner> newScanner)
      throws IOException {
    LanceScanner scanner = newScanner.get();
    try {
      ArrowReader reader = scanner.scanBatches();
      try {
        return new TableScan(
            what, filtered, ioCheck, scanner, reader, reader.getVectorSchemaRoot());
      } catch (Exception e) {
        closeAfter(e, reader);
        throw e;
      }
    } catch (Exception e) {
      closeAfter(e, scanner);
      throw e;
    }
  }

  // Scanner and reader declare Exception; whatever closing throws is second to what came before.
  @SuppressWarnings("CatchingUnchecked")
  private static void closeAfter(Exception first, AutoCloseable resource) {
    try {
      resource.close();
    } catch (Exception e) {
      first.addSuppressed(e);
    }
  }

  /**
   * Loads the next batch that has rows into {@link #root}.
   *
   * @return false at the end
   * @throws TableFilterException when the filter fails on a row
   * @throws TableException when storage fails
   */
  public boolean next() {
    ioCheck.run();
    try {
      while (reader.loadNextBatch()) {
        if (root.getRowCount() > 0) {
          return true;
        }
      }
      return false;
    } catch (Exception e) {
      throw LanceErrors.reading(what, filtered, e);
    }
  }

  /** The present batch, owned by this scan and overwritten by {@link #next}. */
  public VectorSchemaRoot root() {
    return root;
  }

  /** Ends the scan and frees its batch. May be called twice. */
  @Override
  public void close() {
    ioCheck.run();
    if (closed) {
      return;
    }
    closed = true;
    try (scanner;
        reader) {
      // Closed in the right order, both in any case.
    } catch (Exception e) {
      throw LanceErrors.table("closing " + what, e);
    }
  }
}
