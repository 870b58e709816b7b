package io.contextstore.filter;

import io.contextstore.filter.ValueType.Scalar;
import java.util.List;

/**
 * A filter that has been understood and checked: every column exists, every operand has the type
 * that its place asks for. {@link Renderer} can write whatever can be built from these records, so
 * what is not here cannot reach Lance.
 */
sealed interface Expr {
  ValueType type();

  // Leaves

  record ColumnRef(String name, ValueType type) implements Expr {}

  record TextLiteral(String value) implements Expr {
    @Override
    public Scalar type() {
      return Scalar.TEXT;
    }
  }

  /** An integer; of type INT32 only where Lance needs to be told. */
  record IntLiteral(long value, Scalar type) implements Expr {}

  /** A finite number; of type FLOAT32 only where Lance needs to be told. */
  record DoubleLiteral(double value, Scalar type) implements Expr {}

  record BoolLiteral(boolean value) implements Expr {
    @Override
    public Scalar type() {
      return Scalar.BOOL;
    }
  }

  record TimestampLiteral(long micros) implements Expr {
    @Override
    public Scalar type() {
      return Scalar.TIMESTAMP;
    }
  }

  record BinaryLiteral(String hex) implements Expr {
    @Override
    public Scalar type() {
      return Scalar.BINARY;
    }
  }

  record NullLiteral(Scalar type) implements Expr {}

  /**
   * A list of literals, all of exactly the item type: lists of mixed types make native code abort
   * the process.
   */
  record ListLiteral(List<Expr> items, Scalar item) implements Expr {
    public ListLiteral {
      items = List.copyOf(items);
      for (Expr literal : items) {
        if (literal.type() != item) {
          throw new IllegalArgumentException("a list of " + item + " must not hold " + literal);
        }
      }
    }

    @Override
    public ValueType type() {
      return new ValueType.ListOf(item);
    }
  }

  /** A unit of time, one of the words that {@link Functions} lists. */
  record Unit(String word) implements Expr {
    @Override
    public Scalar type() {
      return Scalar.TEXT;
    }
  }

  // Conditions

  /** Something that is true, false or null. */
  sealed interface Condition extends Expr {
    @Override
    default Scalar type() {
      return Scalar.BOOL;
    }
  }

  record Junction(boolean and, List<Expr> terms) implements Condition {}

  record Not(Expr term) implements Condition {}

  record Compare(Expr left, String operator, Expr right) implements Condition {}

  record Between(Expr value, boolean not, Expr low, Expr high) implements Condition {}

  record In(Expr value, boolean not, List<Expr> items) implements Condition {}

  record Like(Expr value, boolean not, boolean ignoreCase, TextLiteral pattern)
      implements Condition {}

  record IsNull(Expr value, boolean not) implements Condition {}

  record IsTruth(Expr value, boolean not, boolean truth) implements Condition {}

  // Values

  /** {@code first} and then, from left to right, operators of one precedence. */
  record Chain(Expr first, List<Step> steps, Scalar type) implements Expr {}

  record Step(String operator, Expr operand) {}

  record Negate(Expr value, Scalar type) implements Expr {}

  record Cast(Expr value, Scalar type, boolean nullOnFailure) implements Expr {}

  /** A call of a function of Lance by the name that Lance has for it. */
  record Call(String function, List<Expr> arguments, ValueType type) implements Expr {}
}
