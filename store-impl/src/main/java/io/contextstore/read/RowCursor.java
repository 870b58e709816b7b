package io.contextstore.read;

/** Rows, batch by batch. For one thread; closing it frees all that it holds. */
public interface RowCursor extends AutoCloseable {
  /** Steps to the next selection that has rows; false at the end. */
  boolean next();

  /** The selection of the last {@link #next} that returned true; valid until the next step. */
  Selection selection();

  @Override
  void close();
}
