package io.contextstore.filter;

import io.contextstore.api.error.InvalidRequestException;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

/** Looks up columns, and finds those that a misspelt name may have meant. */
final class Names {
  private static final int COMPARED = 64;
  private static final int SHOWN = 3;

  private final Source source;
  private final Map<String, ValueType> columns;

  Names(Source source, Map<String, ValueType> columns) {
    this.source = source;
    this.columns = columns;
  }

  /** The column that a token names. */
  Expr column(Token token) {
    String name = token.text();
    ValueType type = columns.get(name);
    // Lance would also find its own columns, such as _rowid: no column of a schema begins so.
    if (type == null || name.startsWith("_")) {
      throw unknown(token);
    }
    return new Expr.ColumnRef(name, type);
  }

  private InvalidRequestException unknown(Token token) {
    String name = token.text();
    String message =
        name.startsWith("_")
            ? Source.quote(name)
                + " is not a column of this store; internal columns are not allowed"
            : "unknown column " + Source.quote(name);
    List<String> near = nearest(name);
    String hint = near.isEmpty() ? "" : "; did you mean " + String.join(" or ", near) + "?";
    String quotes = token.kind() == Token.Kind.QUOTED_NAME ? "; text stands in single quotes" : "";
    return source.error(token.at(), message + hint + quotes);
  }

  private List<String> nearest(String name) {
    if (name.length() > COMPARED) {
      return List.of();
    }
    int most = Math.max(2, name.length() / 3);
    record Near(String name, int distance) {}
    return columns.keySet().stream()
        .filter(column -> Math.abs(column.length() - name.length()) <= most)
        .map(column -> new Near(column, distance(name, column)))
        .filter(near -> near.distance() <= most)
        .sorted(Comparator.comparingInt(Near::distance).thenComparing(Near::name))
        .limit(SHOWN)
        .map(near -> Source.quote(near.name()))
        .toList();
  }

  /** How many characters must be inserted, removed or replaced; another case costs nothing. */
  private static int distance(String left, String right) {
    int[] row = new int[right.length() + 1];
    for (int j = 0; j < row.length; j++) {
      row[j] = j;
    }
    for (int i = 1; i <= left.length(); i++) {
      int diagonal = row[0];
      row[0] = i;
      for (int j = 1; j < row.length; j++) {
        boolean same =
            Character.toLowerCase(left.charAt(i - 1)) == Character.toLowerCase(right.charAt(j - 1));
        int replaced = diagonal + (same ? 0 : 1);
        diagonal = row[j];
        row[j] = Math.min(replaced, Math.min(row[j], row[j - 1]) + 1);
      }
    }
    return row[right.length()];
  }
}
