package io.contextstore.api.schema;

import io.contextstore.api.error.InvalidRequestException;
import io.contextstore.api.error.Quote;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The columns of a store: 1 to 1024, with unique names, and among them {@code id}, a non-nullable
 * string. The id column is always the first one here, wherever the user put it.
 *
 * <p>A name has 1 to 1024 characters, does not start with {@code _} (Lance's own columns do), holds
 * neither U+0000 nor a character above U+FFFF nor {@code .} or a backtick, and is not {@code *}.
 * Anything else is a name, also a blank or a quote.
 *
 * @param columns the columns, {@code id} first
 */
public record StoreSchema(List<Column> columns) {
  /** The name of the key column. */
  public static final String ID = "id";

  /** The most columns that a store may have. */
  public static final int MAX_COLUMNS = 1024;

  /** The longest name of a column, in characters. */
  public static final int MAX_NAME_CHARS = 1024;

  /** Checks the rules and moves {@code id} to the front. */
  public StoreSchema {
    if (columns.isEmpty() || columns.size() > MAX_COLUMNS) {
      throw new InvalidRequestException(
          "a schema has 1 to " + MAX_COLUMNS + " columns, this one has " + columns.size());
    }
    Set<String> seen = new HashSet<>();
    for (Column column : columns) {
      checkName(column.name());
      if (!seen.add(column.name())) {
        throw new InvalidRequestException(
            "column '" + Quote.cut(column.name()) + "' is there twice");
      }
    }
    Column id =
        columns.stream()
            .filter(c -> c.name().equals(ID))
            .findFirst()
            .orElseThrow(
                () ->
                    new InvalidRequestException(
                        "a schema needs the column 'id', a string that is not nullable"));
    if (!(id.type() instanceof ColumnType.Text text) || text.large() || id.nullable()) {
      throw new InvalidRequestException(
          "column 'id' must be a string, not large, with \"nullable\": false");
    }
    List<Column> ordered = new ArrayList<>(columns);
    ordered.remove(id);
    ordered.addFirst(id);
    columns = List.copyOf(ordered);
  }

  private static void checkName(String name) {
    if (name.isEmpty() || name.length() > MAX_NAME_CHARS) {
      throw new InvalidRequestException(
          "a column name has 1 to " + MAX_NAME_CHARS + " characters, one has " + name.length());
    }
    if (name.startsWith("_")) {
      throw new InvalidRequestException(
          "column '" + Quote.cut(name) + "': names must not start with '_'");
    }
    // Names pass to Lance as modified UTF-8, which has no such characters.
    if (name.chars().anyMatch(c -> c == 0 || Character.isSurrogate((char) c))) {
      throw new InvalidRequestException(
          "a column name must not hold U+0000 or a character above U+FFFF");
    }
    // Lance reads them as the path of a field, as quotes around one, and as every column.
    if (name.indexOf('.') >= 0 || name.indexOf('`') >= 0 || name.equals("*")) {
      throw new InvalidRequestException(
          "column '" + Quote.cut(name) + "': names must not hold '.' or '`' and not be '*'");
    }
  }

  /** The column of that name. */
  public Optional<Column> column(String name) {
    return columns.stream().filter(c -> c.name().equals(name)).findFirst();
  }
}
