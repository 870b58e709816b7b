package io.contextstore.filter;

import io.contextstore.api.RowKey;
import io.contextstore.api.schema.StoreSchema;
import java.util.Collection;
import java.util.HashSet;
import java.util.Set;

/** Predicates over the key column, all of them answered by its index. */
public final class KeyFilters {
  /** The most keys of one {@link #in}: longer statements cost more than several short ones. */
  public static final int MAX_KEYS = 64;

  private static final String ID = SqlText.column(StoreSchema.ID);
  private static final Set<String> COLUMNS = Set.of(StoreSchema.ID);

  private KeyFilters() {}

  /** The row of that key. */
  public static RenderedFilter eq(RowKey key) {
    return filter(ID + " = " + literal(key));
  }

  /**
   * The rows of those keys.
   *
   * @param keys 1 to {@value #MAX_KEYS} keys
   */
  public static RenderedFilter in(Collection<RowKey> keys) {
    if (keys.isEmpty() || keys.size() > MAX_KEYS) {
      throw new IllegalArgumentException(
          "1 to " + MAX_KEYS + " keys a statement, not " + keys.size());
    }
    StringBuilder sql = new StringBuilder(ID).append(" IN (");
    String separator = "";
    for (RowKey key : keys) {
      sql.append(separator).append(literal(key));
      separator = ", ";
    }
    return filter(sql.append(')').toString());
  }

  /** The rows whose key is greater, in the order of the keys' UTF-8 bytes. */
  public static RenderedFilter after(RowKey exclusive) {
    return filter(ID + " > " + literal(exclusive));
  }

  /** The rows with {@code exclusive < key <= inclusive}, in the order of the keys' UTF-8 bytes. */
  public static RenderedFilter range(RowKey exclusive, RowKey inclusive) {
    return filter(ID + " > " + literal(exclusive) + " AND " + ID + " <= " + literal(inclusive));
  }

  /** The rows for which both hold. */
  public static RenderedFilter and(RenderedFilter left, RenderedFilter right) {
    Set<String> columns = new HashSet<>(left.columns());
    columns.addAll(right.columns());
    return new RenderedFilter("(" + left.sql() + " AND " + right.sql() + ")", columns);
  }

  private static RenderedFilter filter(String condition) {
    return new RenderedFilter("(" + condition + ")", COLUMNS);
  }

  private static String literal(RowKey key) {
    return SqlText.text(key.utf8());
  }
}
