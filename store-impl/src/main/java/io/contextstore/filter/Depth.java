package io.contextstore.filter;

import io.contextstore.filter.ValueType.Scalar;
import java.util.List;

/**
 * How deep Lance's parser has to go for a rendered tree. It gives up at 48 and then tries so many
 * alternatives that each further level doubles the time: (NOT (NOT … forty times takes half a
 * minute, on a thread that nothing can interrupt. So what is rendered must stay below.
 *
 * <p>Counted as that parser does it: one for a parenthesis, a call or a cast, and one more for an
 * operand that follows an operator.
 */
final class Depth {
  /** Leaves room for {@link KeyFilters#and}. */
  static final int MOST = 43;

  private Depth() {}

  static int of(Expr expr) {
    return switch (expr) {
      case Expr.ColumnRef column -> 0;
      case Expr.BoolLiteral bool -> 0;
      case Expr.BinaryLiteral binary -> 0;
      case Expr.Unit unit -> 0;
      case Expr.TextLiteral text -> 1;
      case Expr.IntLiteral number -> number(number.value() < 0, number.type());
      case Expr.DoubleLiteral number -> number(number.value() < 0, number.type());
      case Expr.TimestampLiteral timestamp -> 2;
      case Expr.NullLiteral none -> 2;
      case Expr.ListLiteral list -> 1 + deepest(list.items());
      case Expr.Junction junction -> 1 + chain(junction.terms());
      case Expr.Not not -> 2 + of(not.term());
      case Expr.Compare compare -> 1 + operands(compare.left(), compare.right());
      case Expr.Between between ->
          1 + Math.max(of(between.value()), 1 + Math.max(of(between.low()), of(between.high())));
      case Expr.In in -> 1 + Math.max(of(in.value()), 1 + deepest(in.items()));
      case Expr.Like like -> 1 + operands(like.value(), like.pattern());
      case Expr.IsNull is -> 1 + of(is.value());
      case Expr.IsTruth is -> 1 + of(is.value());
      case Expr.Chain chain -> {
        int rest = 0;
        for (Expr.Step step : chain.steps()) {
          rest = Math.max(rest, of(step.operand()));
        }
        yield 1 + Math.max(of(chain.first()), 1 + rest);
      }
      case Expr.Negate negate -> 2 + of(negate.value());
      case Expr.Cast cast -> 1 + of(cast.value());
      case Expr.Call call -> 1 + deepest(call.arguments());
    };
  }

  private static int number(boolean signed, Scalar type) {
    return (signed ? 1 : 0) + (type == Scalar.INT32 || type == Scalar.FLOAT32 ? 1 : 0);
  }

  private static int operands(Expr left, Expr right) {
    return Math.max(of(left), 1 + of(right));
  }

  private static int chain(List<Expr> terms) {
    return Math.max(of(terms.getFirst()), 1 + deepest(terms.subList(1, terms.size())));
  }

  private static int deepest(List<Expr> exprs) {
    int most = 0;
    for (Expr expr : exprs) {
      most = Math.max(most, of(expr));
    }
    return most;
  }
}
