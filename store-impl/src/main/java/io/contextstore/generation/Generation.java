package io.contextstore.generation;

import io.contextstore.generation.RowLog.State;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The rows of one log segment. While its {@link Memtable} is open it grows; readers are safe beside
 * the one writer and see what is visible at the LSN that they fixed.
 *
 * <p>Reference-counted: born with one reference, owned by its maker; the last {@link #release}
 * frees the Arrow memory and runs the maker's callback.
 */
public final class Generation {
  /** Row arrays and key index together, with their slack after growth. */
  static final int INDEX_BYTES_PER_ROW = 2 * (RowLog.BYTES_PER_ROW + 2 * Integer.BYTES);

  private final long segment;
  private final LongConsumer onFree;
  private final RowLog rows = new RowLog();
  private final KeyIndex index = new KeyIndex();
  private final AtomicInteger references = new AtomicInteger(1);
  private final AtomicReference<@Nullable Attachment> attachment = new AtomicReference<>();
  private volatile int chunkCount;
  private volatile long visibleLsn;
  private volatile long bytes;

  Generation(long segment, long visibleLsn, LongConsumer onFree) {
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

  /** Arrow buffers and key index together, in bytes: the sum of {@link Memtable#cost}. */
  public long bytes() {
    return bytes;
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
    return rows.state().supersededAt(ordinal) > lsn;
  }

  private int newestAt(KeyBytes key, long lsn) {
    int ordinal =
        index.find(
            key.hash(),
            candidate -> {
              State state = rows.state();
              return state.hash(candidate) == key.hash()
                  && key.sameAs(state.chunk(candidate).ids(), state.rowInChunk(candidate));
            });
    if (ordinal == RowLog.NONE) {
      return RowLog.NONE;
    }
    State state = rows.state();
    while (ordinal != RowLog.NONE && state.lsn(ordinal) > lsn) {
      ordinal = state.previous(ordinal);
    }
    return ordinal;
  }

  /**
   * Something that is derived from these rows and lives as long as they do, such as a copy in
   * another form: the first caller's {@code made} is kept, that of a caller who comes second is
   * closed. The caller holds a reference to the generation.
   */
  @SuppressWarnings("unchecked") // One package attaches, and only one type.
  public <T extends Attachment> T attach(T made) {
    Attachment known = attachment.compareAndExchange(null, made);
    if (known == null) {
      return made;
    }
    made.close();
    return (T) known;
  }

  /** What is attached, if anything is. */
  public Optional<Attachment> attachment() {
    return Optional.ofNullable(attachment.get());
  }

  /** See {@link #attach}. */
  public interface Attachment extends AutoCloseable {
    /** Called once, when the generation is freed. */
    @Override
    void close();
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
      Attachment attached = attachment.get();
      if (attached != null) {
        attached.close();
      }
      onFree.accept(bytes);
    }
  }

  /** Indexes a batch and makes it visible. Single writer: called by {@link Memtable} only. */
  @SuppressWarnings("NonAtomicVolatileUpdate") // Single writer.
  void append(Chunk chunk, long cost) {
    rows.addChunk(chunk);
    // Before the rows, so that the chunk is freed whatever happens; its LSN is not visible yet.
    chunkCount = rows.chunkCount();
    bytes = bytes + cost;
    for (int row = 0; row < chunk.rows(); row++) {
      KeyBytes key = KeyBytes.of(chunk.ids(), row);
      int replaced = newestAt(key, Long.MAX_VALUE);
      int ordinal = rows.add(key.hash(), replaced);
      index.put(
          key.hash(),
          ordinal,
          candidate -> candidate == replaced,
          candidate -> rows.state().hash(candidate));
    }
    visibleLsn = chunk.lsn();
  }
}
