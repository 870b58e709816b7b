package io.contextstore.view;

import io.contextstore.table.TableReader;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The base table at one version, shared by successive views. Reference-counted; the last release
 * closes the reader.
 */
public final class BaseVersion {
  private final TableReader reader;
  private final AtomicInteger references = new AtomicInteger(1);

  /** Takes over {@code reader}; the caller holds the first reference. */
  public BaseVersion(TableReader reader) {
    this.reader = reader;
  }

  /** The reader, which scans and does nothing else. */
  public TableReader reader() {
    return reader;
  }

  /** The table's version. */
  public long version() {
    return reader.version();
  }

  void retain() {
    if (references.getAndIncrement() <= 0) {
      throw new IllegalStateException("a live view holds a closed base version");
    }
  }

  void release() {
    int left = references.decrementAndGet();
    if (left < 0) {
      throw new IllegalStateException("base version released twice");
    }
    if (left == 0) {
      reader.close();
    }
  }
}
