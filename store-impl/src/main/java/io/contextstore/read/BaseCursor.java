package io.contextstore.read;

import io.contextstore.generation.KeyBytes;
import io.contextstore.table.TableScan;
import org.apache.arrow.vector.VarCharVector;
import org.apache.arrow.vector.VectorSchemaRoot;

/** The rows of a base scan whose keys no generation mentions. Owns the scan. */
final class BaseCursor implements RowCursor {
  private final Snapshot snapshot;
  private final TableScan scan;
  private final Selection selection = new Selection();

  /** The scan must read the id column. */
  BaseCursor(Snapshot snapshot, TableScan scan) {
    this.snapshot = snapshot;
    this.scan = scan;
  }

  @Override
  public boolean next() {
    while (scan.next()) {
      VectorSchemaRoot root = scan.root();
      selection.restart(root);
      VarCharVector ids = StoreReader.ids(root);
      for (int row = 0; row < root.getRowCount(); row++) {
        if (!snapshot.isShadowed(KeyBytes.of(ids, row))) {
          selection.add(row);
        }
      }
      if (selection.count() > 0) {
        return true;
      }
    }
    return false;
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
