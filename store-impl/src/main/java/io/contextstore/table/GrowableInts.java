package io.contextstore.table;

import java.util.AbstractList;
import java.util.Arrays;
import java.util.List;
import java.util.RandomAccess;

/** A growing list of row offsets without an object a row. Single writer. */
final class GrowableInts {
  private static final int FIRST_CAPACITY = 64;

  private int[] values = new int[FIRST_CAPACITY];
  private int size;

  void add(int value) {
    if (size == values.length) {
      values = Arrays.copyOf(values, Math.addExact(size, size));
    }
    values[size++] = value;
  }

  int size() {
    return size;
  }

  /** Sorts and removes what is there twice. */
  void normalize() {
    Arrays.sort(values, 0, size);
    int kept = 0;
    for (int i = 0; i < size; i++) {
      if (kept == 0 || values[kept - 1] != values[i]) {
        values[kept++] = values[i];
      }
    }
    size = kept;
  }

  int first() {
    return values[0];
  }

  int last() {
    return values[size - 1];
  }

  /** A view for Lance's API, which boxes each value only while it reads it. */
  List<Integer> asList() {
    return new View();
  }

  private final class View extends AbstractList<Integer> implements RandomAccess {
    @Override
    public Integer get(int index) {
      return values[index];
    }

    @Override
    public int size() {
      return size;
    }
  }
}
