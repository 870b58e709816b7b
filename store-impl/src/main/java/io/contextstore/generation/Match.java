package io.contextstore.generation;

/** What a generation knows of a key at a visible LSN. */
public sealed interface Match {
  /** The generation says nothing of the key; older rows count. */
  record Absent() implements Match {
    static final Absent INSTANCE = new Absent();
  }

  /** The key was deleted here; older rows do not count. */
  record Deleted() implements Match {
    static final Deleted INSTANCE = new Deleted();
  }

  /** The newest row of the key, in a chunk that lives as long as the pinned view. */
  record Live(Chunk chunk, int row) implements Match {}
}
