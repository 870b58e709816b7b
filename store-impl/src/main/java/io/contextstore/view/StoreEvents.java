package io.contextstore.view;

/**
 * What happens in a store that may make maintenance due. Called on a log writer's thread: return at
 * once.
 */
public interface StoreEvents {
  /** A memtable was sealed: the store has one pending generation more. */
  void sealed(Store store);

  /** The memory budget is nearly full. */
  void memoryLow();
}
