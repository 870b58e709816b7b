package io.contextstore.filter;

import io.contextstore.filter.ValueType.Scalar;
import java.util.List;
import java.util.Set;

/**
 * Writes a tree as Lance's SQL, every operator in parentheses of its own. How deep that nests is
 * {@link Depth}'s business.
 */
final class Renderer {
  private final StringBuilder sql = new StringBuilder(256);
  private final Set<String> columns;

  /** Creates one that adds the columns it writes to {@code columns}. */
  Renderer(Set<String> columns) {
    this.columns = columns;
  }

  String render(Expr expr) {
    write(expr);
    return sql.toString();
  }

  private void write(Expr expr) {
    switch (expr) {
      case Expr.ColumnRef column -> {
        columns.add(column.name());
        sql.append(SqlText.column(column.name()));
      }
      case Expr.TextLiteral text -> sql.append(SqlText.text(text.value()));
      case Expr.IntLiteral number -> number(SqlText.integer(number.value()), number.type());
      case Expr.DoubleLiteral number -> number(Double.toString(number.value()), number.type());
      case Expr.BoolLiteral bool -> sql.append(bool.value());
      case Expr.TimestampLiteral timestamp ->
          sql.append("to_timestamp_micros(")
              .append(SqlText.integer(timestamp.micros()))
              .append(')');
      case Expr.BinaryLiteral binary -> sql.append("X'").append(binary.hex()).append('\'');
      case Expr.NullLiteral none -> none(none.type());
      case Expr.ListLiteral list -> call("make_array", list.items());
      case Expr.Unit unit -> sql.append('\'').append(unit.word()).append('\'');
      case Expr.Junction junction -> {
        sql.append('(');
        list(junction.terms(), junction.and() ? " AND " : " OR ");
        sql.append(')');
      }
      case Expr.Not not -> wrap("(NOT ", not.term(), ")");
      case Expr.Compare compare -> {
        wrap("(", compare.left(), " " + compare.operator() + " ");
        wrap("", compare.right(), ")");
      }
      case Expr.Between between -> {
        wrap("(", between.value(), negated(between.not(), "BETWEEN "));
        wrap("", between.low(), " AND ");
        wrap("", between.high(), ")");
      }
      case Expr.In in -> {
        wrap("(", in.value(), negated(in.not(), "IN ("));
        list(in.items(), ", ");
        sql.append("))");
      }
      case Expr.Like like -> {
        wrap("(", like.value(), negated(like.not(), like.ignoreCase() ? "ILIKE " : "LIKE "));
        wrap("", like.pattern(), ")");
      }
      case Expr.IsNull isNull ->
          wrap("(", isNull.value(), isNull.not() ? " IS NOT NULL)" : " IS NULL)");
      case Expr.IsTruth is ->
          wrap(
              "(",
              is.value(),
              (is.not() ? " IS NOT " : " IS ") + (is.truth() ? "TRUE)" : "FALSE)"));
      case Expr.Chain chain -> {
        wrap("(", chain.first(), "");
        for (Expr.Step step : chain.steps()) {
          wrap(" " + step.operator() + " ", step.operand(), "");
        }
        sql.append(')');
      }
      case Expr.Negate negate -> wrap("(- ", negate.value(), ")");
      case Expr.Cast cast ->
          wrap(
              cast.nullOnFailure() ? "TRY_CAST(" : "CAST(",
              cast.value(),
              " AS " + typeName(cast.type()) + ")");
      case Expr.Call call -> call(call.function(), call.arguments());
    }
  }

  private void wrap(String before, Expr expr, String after) {
    sql.append(before);
    write(expr);
    sql.append(after);
  }

  private void call(String function, List<Expr> arguments) {
    sql.append(function).append('(');
    list(arguments, ", ");
    sql.append(')');
  }

  private void list(List<Expr> exprs, String separator) {
    String before = "";
    for (Expr expr : exprs) {
      sql.append(before);
      write(expr);
      before = separator;
    }
  }

  private void number(String digits, Scalar type) {
    if (type == Scalar.INT32 || type == Scalar.FLOAT32) {
      sql.append("CAST(").append(digits).append(" AS ").append(typeName(type)).append(')');
    } else {
      sql.append(digits);
    }
  }

  private void none(Scalar type) {
    String before =
        type == Scalar.TIMESTAMP ? "to_timestamp_micros(CAST(NULL AS " : "CAST(NULL AS ";
    sql.append(before)
        .append(typeName(type == Scalar.TIMESTAMP ? Scalar.INT64 : type))
        .append(type == Scalar.TIMESTAMP ? "))" : ")");
  }

  private static String negated(boolean not, String operator) {
    return not ? " NOT " + operator : " " + operator;
  }

  private static String typeName(Scalar type) {
    return switch (type) {
      case TEXT, LARGE_TEXT -> "STRING";
      case INT32 -> "INT";
      case INT64 -> "BIGINT";
      case FLOAT32 -> "FLOAT";
      case FLOAT64 -> "DOUBLE";
      case BOOL, NULL -> "BOOLEAN";
      case BINARY -> "BINARY";
      case TIMESTAMP -> "TIMESTAMP";
    };
  }
}
