package io.contextstore.read;

import io.contextstore.filter.RenderedFilter;
import io.contextstore.generation.Chunk;
import io.contextstore.generation.Chunks;
import io.contextstore.generation.Generation;
import io.contextstore.generation.MemoryBudget;
import io.contextstore.table.Deadline;
import io.contextstore.table.TableEngine;
import java.time.Duration;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;

/**
 * The copies of one generation's rows that filters are tried on. Runs of chunks with enough rows
 * never change, so their copy is made once and kept; the tail, which may still grow, is copied anew
 * for each read.
 *
 * <p>Lock-free: two readers that miss the same copy both make it, and one of the two is thrown
 * away.
 */
final class FilterCopies implements Generation.Attachment {
  private static final int RUN_ROWS = 4096;

  private final Generation generation;
  private final TableEngine engine;
  private final MemoryBudget budget;
  private final AtomicReference<List<ChunkCopy>> runs = new AtomicReference<>(List.of());

  FilterCopies(Generation generation, TableEngine engine, MemoryBudget budget) {
    this.generation = generation;
    this.engine = engine;
    this.budget = budget;
  }

  /** The ordinals of the matching rows with an LSN up to {@code lsn}. */
  BitSet matching(RenderedFilter filter, long lsn, Duration patience) {
    Deadline deadline = Deadline.after(patience);
    BitSet matching = new BitSet();
    Chunks chunks = generation.chunksAt(lsn);
    int at = 0;
    while (at < chunks.count()) {
      int end = runEnd(chunks, at);
      if (end < 0) {
        try (ChunkCopy tail = copy(slice(chunks, at, chunks.count()))) {
          tail.match(filter, deadline, matching);
        }
        break;
      }
      run(chunks, at, end).match(filter, deadline, matching);
      at = end;
    }
    return matching;
  }

  /** The end of the run that starts at {@code from}, or -1 when it has too few rows yet. */
  private static int runEnd(Chunks chunks, int from) {
    int rows = 0;
    for (int i = from; i < chunks.count(); i++) {
      rows += chunks.get(i).rows();
      if (rows >= RUN_ROWS) {
        return i + 1;
      }
    }
    return -1;
  }

  private ChunkCopy run(Chunks chunks, int from, int end) {
    int firstOrdinal = chunks.get(from).firstOrdinal();
    while (true) {
      List<ChunkCopy> known = runs.get();
      for (ChunkCopy run : known) {
        if (run.firstOrdinal() == firstOrdinal) {
          return run;
        }
      }
      ChunkCopy made = copy(slice(chunks, from, end));
      List<ChunkCopy> next = new ArrayList<>(known);
      next.add(made);
      if (runs.compareAndSet(known, List.copyOf(next))) {
        return made;
      }
      made.close();
    }
  }

  private ChunkCopy copy(List<Chunk> chunks) {
    return ChunkCopy.of(chunks, engine, budget);
  }

  private static List<Chunk> slice(Chunks chunks, int from, int end) {
    List<Chunk> slice = new ArrayList<>(end - from);
    for (int i = from; i < end; i++) {
      slice.add(chunks.get(i));
    }
    return slice;
  }

  @Override
  public void close() {
    runs.getAndSet(List.of()).forEach(ChunkCopy::close);
  }
}
