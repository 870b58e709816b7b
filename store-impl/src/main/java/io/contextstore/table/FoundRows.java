package io.contextstore.table;

import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Base rows that a pass found, by fragment and offset. They are good only for the pass that found
 * them: addresses from another handle would bring deleted rows back. Single writer.
 */
public final class FoundRows {
  private static final long OFFSET_MASK = 0xFFFF_FFFFL;

  private final MergePass owner;
  private final Map<Integer, GrowableInts> byFragment = new TreeMap<>();
  private int lastFragment;
  private @Nullable GrowableInts lastOffsets;
  private long count;

  FoundRows(MergePass owner) {
    this.owner = owner;
  }

  void add(long rowAddress) {
    int fragment = Math.toIntExact(rowAddress >>> Integer.SIZE);
    int offset = Math.toIntExact(rowAddress & OFFSET_MASK);
    GrowableInts offsets = lastOffsets;
    // A scan comes fragment by fragment, so the map is asked once a fragment.
    if (offsets == null || fragment != lastFragment) {
      offsets = byFragment.computeIfAbsent(fragment, ignored -> new GrowableInts());
      lastFragment = fragment;
      lastOffsets = offsets;
    }
    offsets.add(offset);
    count++;
  }

  /** How many rows were found. */
  public long count() {
    return count;
  }

  boolean isOf(MergePass pass) {
    return owner == pass;
  }

  Map<Integer, GrowableInts> byFragment() {
    return byFragment;
  }
}
