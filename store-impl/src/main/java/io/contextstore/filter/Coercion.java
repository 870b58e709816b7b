package io.contextstore.filter;

import io.contextstore.api.error.InvalidRequestException;
import io.contextstore.filter.ValueType.Scalar;
import java.util.List;

/**
 * Makes operands fit each other and their place. Lance converts literals beside a column to the
 * column's type and fails when it cannot, so what it could not convert is converted here, or
 * refused with a place.
 */
final class Coercion {
  /** Up to here every whole number is a float64. */
  private static final double EXACT = 9007199254740992.0;

  private final Source source;

  Coercion(Source source) {
    this.source = source;
  }

  /**
   * A term as that type.
   *
   * @param place what asks for it, as the beginning of a sentence
   */
  Expr to(Located term, Scalar target, String place) {
    Expr expr = term.expr();
    if (expr.type() == target
        || (target.integer() && expr.type().integer())
        || (target.text() && expr.type().text())) {
      return expr;
    }
    if (term.isNull()) {
      return new Expr.NullLiteral(target);
    }
    if (target.integer() && expr instanceof Expr.DoubleLiteral number && whole(number)) {
      return new Expr.IntLiteral((long) number.value(), Scalar.INT64);
    }
    if (target.floating()) {
      if (expr instanceof Expr.IntLiteral number) {
        return new Expr.DoubleLiteral(number.value(), Scalar.FLOAT64);
      }
      if (expr.type().integer()) {
        return new Expr.Cast(expr, Scalar.FLOAT64, false);
      }
      if (expr.type().floating()) {
        return expr;
      }
    }
    if (target == Scalar.TIMESTAMP) {
      if (expr instanceof Expr.IntLiteral number) {
        return new Expr.TimestampLiteral(number.value());
      }
      if (expr instanceof Expr.TextLiteral text) {
        return timestamp(text.value(), term.at());
      }
    }
    throw source.error(
        term.at(),
        place
            + " expects "
            + target.label()
            + ", this is "
            + term.type().label()
            + hint(term, target));
  }

  /**
   * A term as that type and, unlike {@link #to}, not as its 32-bit kin: what is computed is int64
   * or float64 everywhere, so that types are exact and 32 bits do not overflow.
   */
  Expr exactly(Located term, Scalar target, String place) {
    Expr expr = to(term, target, place);
    return expr.type() == target ? expr : new Expr.Cast(expr, target, false);
  }

  /** A timestamp from text. */
  Expr.TimestampLiteral timestamp(String text, int at) {
    return new Expr.TimestampLiteral(
        Timestamps.micros(text)
            .orElseThrow(
                () ->
                    source.error(
                        at,
                        Source.quote(text)
                            + " is not a timestamp; allowed are RFC 3339 text with an offset, such"
                            + " as '2026-01-31T12:00:00.5Z', and whole numbers of microseconds")));
  }

  /** A literal of exactly the type of a list's items. */
  Expr item(Located term, Scalar item, String place) {
    if (!term.literal()) {
      throw source.error(term.at(), place + " expects literals here");
    }
    Expr literal = to(term, item, place);
    return switch (item) {
      case INT32 -> {
        long value = ((Expr.IntLiteral) literal).value();
        if ((int) value != value) {
          throw source.error(term.at(), value + " is out of the range of int32");
        }
        yield new Expr.IntLiteral(value, item);
      }
      case FLOAT32 -> {
        double value = ((Expr.DoubleLiteral) literal).value();
        if (Math.abs(value) > Float.MAX_VALUE) {
          throw source.error(term.at(), value + " is out of the range of float32");
        }
        yield new Expr.DoubleLiteral(value, item);
      }
      default -> literal;
    };
  }

  /**
   * Terms that are to be compared with each other, in types that compare. Columns stay as they are
   * where that is possible, for the sake of their indexes.
   *
   * @param place what asks for it, as the beginning of a sentence
   */
  List<Expr> unify(List<Located> terms, String place) {
    Scalar common = common(terms, place);
    List<Expr> exprs = terms.stream().map(term -> to(term, common, place)).toList();
    if (common.numeric()) {
      exprs = common.integer() ? integers(exprs) : floats(exprs);
    }
    return exprs.stream().anyMatch(Expr.ColumnRef.class::isInstance)
        ? exprs.stream().map(Coercion::shield).toList()
        : exprs;
  }

  /**
   * Beside a column Lance gives the column's type to every literal of an operator, also to the 5 of
   * {@code b = (n = 5)}. It does not look into a cast.
   */
  private static Expr shield(Expr expr) {
    return expr instanceof Expr.Condition || expr instanceof Expr.Chain
        ? new Expr.Cast(expr, (Scalar) expr.type(), false)
        : expr;
  }

  /** Terms that make one value, in exactly one type. */
  List<Expr> same(List<Located> terms, String place) {
    Scalar common = common(terms, place);
    return terms.stream().map(term -> exactly(term, common, place)).toList();
  }

  /** The type that all of them can have. */
  private Scalar common(List<Located> terms, String place) {
    for (Located term : terms) {
      if (!(term.type() instanceof Scalar)) {
        throw source.error(
            term.at(),
            "a "
                + term.type().label()
                + " cannot be used here; IS NULL and, for lists, the array functions take it");
      }
    }
    boolean floating = false;
    Located number = null;
    Located other = null;
    for (Located term : terms) {
      if (term.isNull()) {
        continue;
      }
      if (term.type() == Scalar.TIMESTAMP) {
        return Scalar.TIMESTAMP;
      }
      if (term.type().numeric()) {
        number = number == null ? term : number;
        floating |=
            term.type().floating()
                && !(term.expr() instanceof Expr.DoubleLiteral literal && whole(literal));
      } else if (other == null) {
        other = term;
      } else if (!other.type().equals(term.type())
          && !(other.type().text() && term.type().text())) {
        throw mismatch(other, term, place);
      }
    }
    if (number != null && other != null) {
      throw number.at() < other.at()
          ? mismatch(number, other, place)
          : mismatch(other, number, place);
    }
    if (number != null) {
      return floating ? Scalar.FLOAT64 : Scalar.INT64;
    }
    if (other == null) {
      return Scalar.BOOL;
    }
    return other.type().text() ? Scalar.TEXT : (Scalar) other.type();
  }

  private static List<Expr> integers(List<Expr> exprs) {
    boolean wide =
        exprs.stream()
            .anyMatch(e -> e instanceof Expr.IntLiteral n && (int) n.value() != n.value());
    // Beside an int32 column Lance refuses a literal that is not an int32.
    return wide ? exprs.stream().map(e -> widen(e, Scalar.INT32, Scalar.INT64)).toList() : exprs;
  }

  private static List<Expr> floats(List<Expr> exprs) {
    boolean wide =
        exprs.stream()
            .anyMatch(
                e -> e instanceof Expr.DoubleLiteral n && Math.abs(n.value()) > Float.MAX_VALUE);
    // Beside a float32 column Lance would take such a literal for infinity.
    return wide
        ? exprs.stream().map(e -> widen(e, Scalar.FLOAT32, Scalar.FLOAT64)).toList()
        : exprs;
  }

  private static Expr widen(Expr expr, Scalar from, Scalar to) {
    return expr.type() == from ? new Expr.Cast(expr, to, false) : expr;
  }

  private static boolean whole(Expr.DoubleLiteral number) {
    return Math.rint(number.value()) == number.value() && Math.abs(number.value()) <= EXACT;
  }

  private InvalidRequestException mismatch(Located first, Located second, String place) {
    return source.error(
        second.at(),
        place
            + " cannot mix "
            + first.type().label()
            + " and "
            + second.type().label()
            + hint(second, first.type()));
  }

  private static String hint(Located term, ValueType target) {
    if (target == Scalar.TIMESTAMP && term.type().integer()) {
      return "; to_timestamp_micros(…) makes one of a number that is not a literal";
    }
    if (target == Scalar.BINARY && term.type() == Scalar.TEXT) {
      return "; write bytes as X'00ff'";
    }
    if (!term.literal()) {
      return "";
    }
    return target.numeric() && term.type() == Scalar.TEXT
        ? "; write numbers without quotes"
        : target == Scalar.TEXT && term.type().numeric() ? "; write text in single quotes" : "";
  }
}
