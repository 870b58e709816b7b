package io.contextstore.view;

/**
 * What happens in a store that may make maintenance due. Called on a log writer's thread: return at
 * once.
 */
public interface StoreEvents {
  /** The store has more pending generations: a memtable was sealed, or it was opened with some. */
  void sealed(Store store);

  /** The memory budget is nearly full. */
  void memoryLow();
}
