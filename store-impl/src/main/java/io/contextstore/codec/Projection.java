package io.contextstore.codec;

import io.contextstore.api.error.InvalidRequestException;
import io.contextstore.api.error.Quote;
import io.contextstore.api.schema.Column;
import io.contextstore.api.schema.ColumnType;
import io.contextstore.api.schema.StoreSchema;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The columns of an answer, checked against the store's and in the order asked for.
 *
 * @param columns at least one column, each once
 */
public record Projection(List<Column> columns) {
  /** Copies the columns. */
  public Projection {
    columns = List.copyOf(columns);
  }

  /**
   * Resolves the names that a user asked for.
   *
   * @param names the names; empty means every column but blobs, in the store's order
   * @throws InvalidRequestException a name that the store does not have, or one given twice: a JSON
   *     object has no member twice, so the answer could not be what was asked for
   */
  public static Projection of(StoreSchema schema, List<String> names) {
    if (names.isEmpty()) {
      return new Projection(schema.columns().stream().filter(c -> !isBlob(c)).toList());
    }
    List<Column> columns = new ArrayList<>();
    Set<String> seen = new HashSet<>();
    for (String name : names) {
      columns.add(
          schema
              .column(name)
              .orElseThrow(
                  () ->
                      new InvalidRequestException(
                          "the store has no column '" + Quote.cut(name) + "'")));
      if (!seen.add(name)) {
        throw new InvalidRequestException("column '" + Quote.cut(name) + "' is asked for twice");
      }
    }
    return new Projection(columns);
  }

  private static boolean isBlob(Column column) {
    return column.type() instanceof ColumnType.Binary binary && binary.blob();
  }

  /** The names of the columns, in order. */
  public List<String> names() {
    return columns.stream().map(Column::name).toList();
  }
}
