package io.contextstore.read;

import io.contextstore.generation.Chunk;
import io.contextstore.generation.Chunks;
import io.contextstore.generation.Generation;
import io.contextstore.generation.KeyBytes;
import java.util.BitSet;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The visible rows of all generations, newest generation first, each key once. */
final class GenerationCursor implements RowCursor {
  private final Snapshot snapshot;
  private final Optional<RowMatcher> matcher;
  private int generation = -1;
  private int chunk;
  private @Nullable Chunks chunks;
  private @Nullable BitSet matching;
  private final Selection selection = new Selection();

  GenerationCursor(Snapshot snapshot, Optional<RowMatcher> matcher) {
    this.snapshot = snapshot;
    this.matcher = matcher;
  }

  @Override
  public boolean next() {
    while (true) {
      Chunks now = chunks;
      if (now == null || chunk == now.count()) {
        if (generation + 1 >= snapshot.newestFirst().size()) {
          return false;
        }
        generation++;
        Generation next = snapshot.newestFirst().get(generation);
        chunks = next.chunksAt(snapshot.lsn());
        matching = matcher.isPresent() ? matcher.get().matching(next, snapshot.lsn()) : null;
        chunk = 0;
      } else if (select(now.get(chunk++))) {
        return true;
      }
    }
  }

  private boolean select(Chunk from) {
    if (from.tombstones()) {
      return false;
    }
    selection.restart(from.root());
    Generation source = snapshot.newestFirst().get(generation);
    BitSet filter = matching;
    for (int row = 0; row < from.rows(); row++) {
      int ordinal = from.firstOrdinal() + row;
      if ((filter == null || filter.get(ordinal))
          && source.isNewestAt(ordinal, snapshot.lsn())
          && !snapshot.isShadowed(KeyBytes.of(from.ids(), row), generation)) {
        selection.add(row);
      }
    }
    return selection.count() > 0;
  }

  /** The chunk that the current selection is of. */
  Chunk currentChunk() {
    Chunks now = chunks;
    if (now == null) {
      throw new IllegalStateException("no row yet");
    }
    return now.get(chunk - 1);
  }

  @Override
  public Selection selection() {
    return selection;
  }

  @Override
  public void close() {
    // The rows belong to the view, which the pin holds.
  }
}
