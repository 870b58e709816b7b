package io.contextstore.filter;

/** A checked term and where it begins, for messages about what is around it. */
record Located(Expr expr, int at) {
  ValueType type() {
    return expr.type();
  }

  boolean isNull() {
    return expr instanceof Expr.NullLiteral;
  }

  boolean literal() {
    return switch (expr) {
      case Expr.TextLiteral text -> true;
      case Expr.IntLiteral number -> true;
      case Expr.DoubleLiteral number -> true;
      case Expr.BoolLiteral bool -> true;
      case Expr.TimestampLiteral timestamp -> true;
      case Expr.BinaryLiteral binary -> true;
      default -> false;
    };
  }
}
