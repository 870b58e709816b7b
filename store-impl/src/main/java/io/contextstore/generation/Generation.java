package io.contextstore.generation;

import io.contextstore.generation.RowLog.State;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The rows of one log segment. While its {@link Memtable} is open it grows; readers are safe beside
 * the one writer and see what is visible at the LSN that they fixed.
 *
 * <p>Reference-counted: born with one reference, owned by its maker; the last {@link #release}
 * frees the Arrow memory and runs the maker's callback.
 */
public final class Generation {
  private final long segment;
  private final Runnable onFree;
  private final RowLog rows = new RowLog();
  private final KeyIndex index = new KeyIndex();
  private final AtomicInteger references = new AtomicInteger(1);
  private volatile int chunkCount;
  private volatile long visibleLsn;
  private volatile long batchBytes;

  Generation(long segment, long visibleLsn, Runnable onFree) {
    this.segment = segment;
    this.visibleLsn = visibleLsn;
    this.onFree = onFree;
  }

  /** The number of the log segment that holds these rows. */
  public long segment() {
    return segment;
  }

  /** The newest LSN that readers may see; never goes back. */
  public long visibleLsn() {
    return visibleLsn;
  }

  /** The number of rows and tombstones, superseded ones included. Exact once sealed. */
  public int rowCount() {
    return rows.rowCount();
  }

  /** Arrow buffers and key index together, in bytes. */
  public long bytes() {
    return batchBytes + rows.bytes() + index.bytes();
  }

  /** The chunks with an LSN up to {@code lsn}, in LSN order. */
  public Chunks chunksAt(long lsn) {
    int count = chunkCount;
    Chunk[] chunks = rows.state().chunks();
    while (count > 0 && chunks[count - 1].lsn() > lsn) {
      count--;
    }
    return new Chunks(chunks, count);
  }

  /** What this generation says of {@code key} at {@code lsn}. */
  public Match find(KeyBytes key, long lsn) {
    int ordinal = newestAt(key, lsn);
    if (ordinal == RowLog.NONE) {
      return Match.Absent.INSTANCE;
    }
    State state = rows.state();
    Chunk chunk = state.chunk(ordinal);
    return chunk.tombstones()
        ? Match.Deleted.INSTANCE
        : new Match.Live(chunk, ordinal - chunk.firstOrdinal());
  }

  /** Whether this generation has a row or a tombstone of {@code key} at {@code lsn}. */
  public boolean mentions(KeyBytes key, long lsn) {
    return newestAt(key, lsn) != RowLog.NONE;
  }

  /** Whether row {@code ordinal}, whose LSN is up to {@code lsn}, is its key's newest at it. */
  public boolean isNewestAt(int ordinal, long lsn) {
    return rows.state().supersededAt()[ordinal] > lsn;
  }

  private int newestAt(KeyBytes key, long lsn) {
    int ordinal =
        index.find(
            key.hash(),
            candidate -> {
              State state = rows.state();
              return state.hashOf()[candidate] == key.hash()
                  && key.sameAs(state.chunk(candidate).ids(), state.rowInChunk(candidate));
            });
    if (ordinal == RowLog.NONE) {
      return RowLog.NONE;
    }
    State state = rows.state();
    while (ordinal != RowLog.NONE && state.lsn(ordinal) > lsn) {
      ordinal = state.previous()[ordinal];
    }
    return ordinal;
  }

  /** Adds a reference, unless the generation is free already. */
  public boolean tryRetain() {
    int count = references.get();
    while (count > 0) {
      if (references.compareAndSet(count, count + 1)) {
        return true;
      }
      count = references.get();
    }
    return false;
  }

  /** Gives a reference back; the last one frees the memory. */
  public void release() {
    int left = references.decrementAndGet();
    if (left < 0) {
      throw new IllegalStateException("generation of segment " + segment + " released twice");
    }
    if (left == 0) {
      for (Chunk chunk : chunksAt(Long.MAX_VALUE)) {
        chunk.root().close();
      }
      onFree.run();
    }
  }

  /** Indexes a batch and makes it visible. Single writer: called by {@link Memtable} only. */
  void append(Chunk chunk, long bytes) {
    rows.addChunk(chunk);
    // Before the rows, so that the chunk is freed whatever happens; its LSN is not visible yet.
    chunkCount = rows.chunkCount();
    batchBytes = batchBytes + bytes;
    for (int row = 0; row < chunk.rows(); row++) {
      KeyBytes key = KeyBytes.of(chunk.ids(), row);
      int replaced = newestAt(key, Long.MAX_VALUE);
      int ordinal = rows.add(key.hash(), replaced);
      index.put(
          key.hash(),
          ordinal,
          candidate -> candidate == replaced,
          candidate -> rows.state().hashOf()[candidate]);
    }
    visibleLsn = chunk.lsn();
  }
}
