package io.contextstore.generation;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * An open-addressing table from a key to the ordinal of its newest row; the key's bytes are
 * compared in the row itself, so no key is stored twice.
 *
 * <p>Single writer; readers probe without a lock. A slot is published with release semantics after
 * its row is complete, and growth builds a whole new table before it is published.
 */
final class KeyIndex {
  private static final VarHandle SLOT = MethodHandles.arrayElementVarHandle(int[].class);

  /** Compares the key looked for with the key of a row. */
  interface SameKey {
    boolean test(int ordinal);
  }

  /** Gives the hash of a row's key. */
  interface HashOf {
    int get(int ordinal);
  }

  // Slots hold ordinal + 1, so that 0 means empty.
  private volatile int[] slots = new int[32];
  private int used;

  /** The newest ordinal of the key, or {@link RowLog#NONE}. */
  int find(int hash, SameKey sameKey) {
    int[] table = slots;
    int mask = table.length - 1;
    for (int at = hash & mask; ; at = (at + 1) & mask) {
      int entry = (int) SLOT.getAcquire(table, at);
      if (entry == 0) {
        return RowLog.NONE;
      }
      if (sameKey.test(entry - 1)) {
        return entry - 1;
      }
    }
  }

  /** Points the key at {@code ordinal}, which must be complete. */
  void put(int hash, int ordinal, SameKey sameKey, HashOf hashOf) {
    if ((used + 1) * 2L > slots.length) {
      grow(hashOf);
    }
    int[] table = slots;
    int mask = table.length - 1;
    int at = hash & mask;
    while (table[at] != 0 && !sameKey.test(table[at] - 1)) {
      at = (at + 1) & mask;
    }
    if (table[at] == 0) {
      used++;
    }
    SLOT.setRelease(table, at, ordinal + 1);
  }

  private void grow(HashOf hashOf) {
    int[] old = slots;
    int[] table = new int[Math.multiplyExact(old.length, 2)];
    int mask = table.length - 1;
    for (int entry : old) {
      if (entry != 0) {
        int at = hashOf.get(entry - 1) & mask;
        while (table[at] != 0) {
          at = (at + 1) & mask;
        }
        table[at] = entry;
      }
    }
    slots = table;
  }
}
