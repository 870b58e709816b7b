package io.contextstore.filter;

import io.contextstore.api.error.InvalidRequestException;
import io.contextstore.filter.ValueType.Scalar;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import net.sf.jsqlparser.expression.ArrayConstructor;
import net.sf.jsqlparser.expression.BinaryExpression;
import net.sf.jsqlparser.expression.CastExpression;
import net.sf.jsqlparser.expression.Expression;
import net.sf.jsqlparser.expression.ExtractExpression;
import net.sf.jsqlparser.expression.Function;
import net.sf.jsqlparser.expression.NotExpression;
import net.sf.jsqlparser.expression.SignedExpression;
import net.sf.jsqlparser.expression.operators.arithmetic.Addition;
import net.sf.jsqlparser.expression.operators.arithmetic.Concat;
import net.sf.jsqlparser.expression.operators.arithmetic.Division;
import net.sf.jsqlparser.expression.operators.arithmetic.Modulo;
import net.sf.jsqlparser.expression.operators.arithmetic.Multiplication;
import net.sf.jsqlparser.expression.operators.arithmetic.Subtraction;
import net.sf.jsqlparser.expression.operators.conditional.AndExpression;
import net.sf.jsqlparser.expression.operators.conditional.OrExpression;
import net.sf.jsqlparser.expression.operators.relational.Between;
import net.sf.jsqlparser.expression.operators.relational.EqualsTo;
import net.sf.jsqlparser.expression.operators.relational.ExpressionList;
import net.sf.jsqlparser.expression.operators.relational.GreaterThan;
import net.sf.jsqlparser.expression.operators.relational.GreaterThanEquals;
import net.sf.jsqlparser.expression.operators.relational.InExpression;
import net.sf.jsqlparser.expression.operators.relational.IsBooleanExpression;
import net.sf.jsqlparser.expression.operators.relational.IsNullExpression;
import net.sf.jsqlparser.expression.operators.relational.LikeExpression;
import net.sf.jsqlparser.expression.operators.relational.MinorThan;
import net.sf.jsqlparser.expression.operators.relational.MinorThanEquals;
import net.sf.jsqlparser.expression.operators.relational.NotEqualsTo;
import net.sf.jsqlparser.expression.operators.relational.ParenthesedExpressionList;
import net.sf.jsqlparser.schema.Column;
import org.jspecify.annotations.Nullable;

/**
 * Turns what the grammar understood into our own typed tree. Knows only what is allowed: any other
 * node of the parser library is refused. At the end every name, literal and operator of the text
 * must have found its way into the tree exactly once, so that nothing which the library understood
 * differently, or dropped, can pass.
 *
 * <p>It also keeps the nesting of the rendered text within what Lance's parser bears. That one
 * gives up at a depth of about 47, and has by then tried so many alternatives that a few levels
 * more take minutes. The depth of a term is counted as Lance's parser counts it: one for a
 * parenthesis and an argument, one more for whatever follows an operator.
 *
 * <p>Used once, by one thread.
 */
final class Resolver {
  private static final Pattern PLACEHOLDER = Pattern.compile("\\bt(\\d+)\\b");

  private final Source source;
  private final List<Token> tokens;
  private final Names names;
  private final Coercion coercion;
  private final Functions functions;
  private final BitSet used = new BitSet();
  private int operators;
  private int level;
  private int deepest;
  private int deepestAt;

  Resolver(Source source, List<Token> tokens, Map<String, ValueType> columns) {
    this.source = source;
    this.tokens = tokens;
    this.names = new Names(source, columns);
    this.coercion = new Coercion(source);
    this.functions = new Functions(source, coercion);
  }

  /** The tree of a whole filter. */
  Expr condition(Expression parsed) {
    Expr condition = bool(resolve(parsed), "a filter");
    int atoms = 0;
    int expected = 0;
    for (Token token : tokens) {
      atoms += token.kind().atom() ? 1 : 0;
      expected += token.kind().operator() ? 1 : 0;
    }
    if (used.cardinality() != atoms || operators != expected) {
      for (int i = 0; i < tokens.size(); i++) {
        if (tokens.get(i).kind().atom() && !used.get(i)) {
          throw source.error(
              tokens.get(i).at(), Source.quote(tokens.get(i).text()) + " does not fit here");
        }
      }
      throw source.error(0, "an operator is not where it can be understood");
    }
    if (Depth.of(condition) > Depth.MOST) {
      throw source.error(deepestAt, "nested too deeply here; write it with fewer levels");
    }
    return condition;
  }

  private Located resolve(Expression e) {
    level++;
    Located term = term(e);
    level--;
    return term;
  }

  private Located term(Expression e) {
    return switch (e) {
      case ParenthesedExpressionList<?> list -> {
        if (list.size() != 1) {
          throw notAllowed(e);
        }
        yield resolve(list.getFirst());
      }
      case Column column -> {
        if (column.getArrayConstructor() != null) {
          throw notAllowed(e);
        }
        yield atom(column);
      }
      case AndExpression and -> junction(and);
      case OrExpression or -> junction(or);
      case NotExpression not -> {
        operators++;
        Located term = resolve(not.getExpression());
        yield new Located(new Expr.Not(bool(term, "NOT")), term.at());
      }
      case EqualsTo compare -> compare(compare, "=");
      case NotEqualsTo compare -> compare(compare, "<>");
      case GreaterThan compare -> compare(compare, ">");
      case GreaterThanEquals compare -> compare(compare, ">=");
      case MinorThan compare -> compare(compare, "<");
      case MinorThanEquals compare -> compare(compare, "<=");
      case Between between -> between(between);
      case InExpression in -> in(in);
      case LikeExpression like -> like(like);
      case IsNullExpression is -> {
        Located value = is(is.getLeftExpression(), is.isNot());
        yield new Located(new Expr.IsNull(typed(value), is.isNot()), value.at());
      }
      case IsBooleanExpression is -> {
        Located value = is(is.getLeftExpression(), is.isNot());
        yield new Located(
            new Expr.IsTruth(bool(value, "IS TRUE or FALSE"), is.isNot(), is.isTrue()), value.at());
      }
      case Addition sum -> chain(sum, Addition.class, Subtraction.class, null);
      case Subtraction sum -> chain(sum, Addition.class, Subtraction.class, null);
      case Multiplication product -> product(product);
      case Division product -> product(product);
      case Modulo product -> product(product);
      case Concat concat -> chain(concat, Concat.class, null, null);
      case SignedExpression signed -> signed(signed);
      case CastExpression cast -> cast(cast);
      case ExtractExpression extract -> extract(extract);
      case Function function -> call(function);
      case ArrayConstructor array -> {
        if (array.isArrayKeyword() || array.getDataType() != null) {
          throw notAllowed(e);
        }
        yield list(array);
      }
      default -> throw notAllowed(e);
    };
  }

  private InvalidRequestException notAllowed(Expression e) {
    return error(e, "this is not allowed in a filter");
  }

  // Leaves

  private Located atom(Column placeholder) {
    Token token = word(placeholder, placeholder.getFullyQualifiedName());
    if (level > deepest) {
      deepest = level;
      deepestAt = token.at();
    }
    Expr expr =
        switch (token.kind()) {
          case NAME, QUOTED_NAME -> names.column(token);
          case TEXT -> new Expr.TextLiteral(token.text());
          case INTEGER -> integer(token);
          case DECIMAL -> decimal(token);
          case BINARY -> new Expr.BinaryLiteral(token.text());
          case TIMESTAMP -> coercion.timestamp(token.text(), token.at());
          case TRUE -> new Expr.BoolLiteral(true);
          case FALSE -> new Expr.BoolLiteral(false);
          case NULL -> new Expr.NullLiteral(Scalar.NULL);
          case OPERATOR_WORD, WORD, OPERATOR, PUNCTUATION ->
              throw new IllegalStateException("no placeholder stands for " + token);
        };
    return new Located(expr, token.at());
  }

  private Expr integer(Token token) {
    try {
      return new Expr.IntLiteral(Long.parseLong(token.text()), Scalar.INT64);
    } catch (NumberFormatException e) {
      // Only its size can be wrong: the lexer has seen its digits.
      throw source.error(
          token.at(),
          Source.quote(token.text())
              + " is out of range: whole numbers are 64-bit, from "
              + Long.MIN_VALUE
              + " to "
              + Long.MAX_VALUE);
    }
  }

  private Expr decimal(Token token) {
    double value = Double.parseDouble(token.text());
    if (Double.isInfinite(value)) {
      throw source.error(
          token.at(), Source.quote(token.text()) + " is out of the range of float64");
    }
    return new Expr.DoubleLiteral(value, Scalar.FLOAT64);
  }

  /** The token that a placeholder stands for; the grammar takes some reserved words for names. */
  private Token word(Expression owner, String placeholder) {
    if (!PLACEHOLDER.matcher(placeholder).matches()) {
      throw error(owner, "this is not allowed in a filter");
    }
    int index = Grammar.index(placeholder);
    if (used.get(index)) {
      throw error(owner, "this is not allowed in a filter");
    }
    used.set(index);
    return tokens.get(index);
  }

  // Conditions

  private Located junction(BinaryExpression e) {
    boolean and = e instanceof AndExpression;
    List<Expression> parts = flatten(e, e.getClass(), null, null);
    List<Expr> terms = new ArrayList<>(parts.size());
    int at = -1;
    for (Expression part : parts) {
      Located term = resolve(part);
      at = at < 0 ? term.at() : at;
      terms.add(bool(term, and ? "AND" : "OR"));
    }
    operators += parts.size() - 1;
    return new Located(new Expr.Junction(and, List.copyOf(terms)), at);
  }

  private Located compare(BinaryExpression e, String operator) {
    operators++;
    Located left = resolve(e.getLeftExpression());
    Located right = resolve(e.getRightExpression());
    List<Expr> both = coercion.unify(List.of(left, right), "'" + operator + "'");
    return new Located(new Expr.Compare(both.get(0), operator, both.get(1)), left.at());
  }

  private Located between(Between e) {
    if (e.isUsingSymmetric() || e.isUsingAsymmetric()) {
      throw error(e, "only plain BETWEEN is allowed");
    }
    operators += e.isNot() ? 3 : 2;
    Located value = resolve(e.getLeftExpression());
    Located low = resolve(e.getBetweenExpressionStart());
    Located high = resolve(e.getBetweenExpressionEnd());
    List<Expr> all = coercion.unify(List.of(value, low, high), "BETWEEN");
    return new Located(new Expr.Between(all.get(0), e.isNot(), all.get(1), all.get(2)), value.at());
  }

  private Located in(InExpression e) {
    operators += e.isNot() ? 2 : 1;
    Located value = resolve(e.getLeftExpression());
    if (e.isGlobal()
        || !(e.getRightExpression() instanceof ParenthesedExpressionList<?> list)
        || list.isEmpty()) {
      throw source.error(value.at(), "IN expects a list such as (1, 2, 3) on its right");
    }
    List<Located> terms = new ArrayList<>(list.size() + 1);
    terms.add(value);
    for (Expression item : list) {
      terms.add(resolve(item));
    }
    List<Expr> all = coercion.unify(terms, "IN");
    return new Located(
        new Expr.In(all.getFirst(), e.isNot(), List.copyOf(all.subList(1, all.size()))),
        value.at());
  }

  private Located like(LikeExpression e) {
    LikeExpression.KeyWord keyword = e.getLikeKeyWord();
    boolean ignoreCase = keyword == LikeExpression.KeyWord.ILIKE;
    if (e.isUseBinary() || !(ignoreCase || keyword == LikeExpression.KeyWord.LIKE)) {
      throw error(e, "only LIKE and ILIKE are allowed");
    }
    operators += e.isNot() ? 2 : 1;
    Located value = resolve(e.getLeftExpression());
    Located pattern = resolve(e.getRightExpression());
    Expr text = coercion.to(value, Scalar.TEXT, "LIKE");
    if (!(pattern.expr() instanceof Expr.TextLiteral literal)) {
      throw source.error(pattern.at(), "the pattern of LIKE is a literal such as 'a%'");
    }
    Expr.TextLiteral translated =
        e.getEscape() == null ? literal : escaped(literal, resolve(e.getEscape()));
    return new Located(new Expr.Like(text, e.isNot(), ignoreCase, translated), value.at());
  }

  /** The pattern with the backslash, the only escape that Lance knows, in place of another one. */
  private Expr.TextLiteral escaped(Expr.TextLiteral pattern, Located escape) {
    if (!(escape.expr() instanceof Expr.TextLiteral literal)
        || literal.value().codePointCount(0, literal.value().length()) != 1) {
      throw source.error(escape.at(), "ESCAPE expects one character in quotes");
    }
    int marker = literal.value().codePointAt(0);
    StringBuilder translated = new StringBuilder();
    boolean literally = false;
    for (int c : pattern.value().codePoints().toArray()) {
      if (!literally && c == marker) {
        literally = true;
        continue;
      }
      if (c == '\\' || (literally && (c == '%' || c == '_'))) {
        translated.append('\\');
      }
      translated.appendCodePoint(c);
      literally = false;
    }
    if (literally) {
      throw source.error(escape.at(), "the pattern ends with its escape character");
    }
    return new Expr.TextLiteral(translated.toString());
  }

  private Located is(Expression value, boolean not) {
    operators += not ? 2 : 1;
    return resolve(value);
  }

  private Expr bool(Located term, String place) {
    return coercion.to(term, Scalar.BOOL, place);
  }

  /** The term, or a null of some type: Lance needs one. */
  private static Expr typed(Located term) {
    return term.isNull() ? new Expr.NullLiteral(Scalar.BOOL) : term.expr();
  }

  // Values

  private Located product(BinaryExpression e) {
    return chain(e, Multiplication.class, Division.class, Modulo.class);
  }

  private Located chain(
      BinaryExpression e, Class<?> first, @Nullable Class<?> second, @Nullable Class<?> third) {
    List<Expression> parts = flatten(e, first, second, third);
    List<String> symbols = symbols(e, parts.size() - 1);
    List<Located> terms = new ArrayList<>(parts.size());
    for (Expression part : parts) {
      terms.add(resolve(part));
    }
    operators += symbols.size();
    return new Located(
        e instanceof Concat ? concatenation(terms) : arithmetic(terms, symbols),
        terms.getFirst().at());
  }

  private Expr concatenation(List<Located> terms) {
    List<Expr> exprs = terms.stream().map(t -> coercion.exactly(t, Scalar.TEXT, "'||'")).toList();
    return new Expr.Chain(exprs.getFirst(), steps("||", exprs), Scalar.TEXT);
  }

  private static List<Expr.Step> steps(String operator, List<Expr> exprs) {
    return exprs.stream().skip(1).map(e -> new Expr.Step(operator, e)).toList();
  }

  private Expr arithmetic(List<Located> terms, List<String> symbols) {
    boolean floating = false;
    for (Located term : terms) {
      if (!term.isNull() && !term.type().numeric()) {
        throw source.error(
            term.at(),
            "arithmetic expects numbers, this is "
                + term.type().label()
                + (term.type() == Scalar.TIMESTAMP
                    ? "; CAST(… AS BIGINT) makes microseconds"
                    : ""));
      }
      floating |= term.type().floating();
    }
    Scalar type = floating ? Scalar.FLOAT64 : Scalar.INT64;
    List<Expr> exprs = terms.stream().map(t -> coercion.exactly(t, type, "arithmetic")).toList();
    List<Expr.Step> steps = new ArrayList<>(symbols.size());
    for (int i = 0; i < symbols.size(); i++) {
      Expr operand = exprs.get(i + 1);
      boolean divides = symbols.get(i).equals("/") || symbols.get(i).equals("%");
      if (divides && operand instanceof Expr.IntLiteral divisor && divisor.value() == 0) {
        throw source.error(terms.get(i + 1).at(), "division by zero");
      }
      steps.add(new Expr.Step(symbols.get(i), operand));
    }
    return new Expr.Chain(exprs.getFirst(), List.copyOf(steps), type);
  }

  private Located signed(SignedExpression e) {
    operators++;
    Located value = resolve(e.getExpression());
    if (e.getSign() != '-' && e.getSign() != '+') {
      throw error(e, "only - and + are allowed before a number");
    }
    if (!value.isNull() && !value.type().numeric()) {
      throw source.error(
          value.at(), "'" + e.getSign() + "' expects a number, this is " + value.type().label());
    }
    if (e.getSign() == '+') {
      return value;
    }
    Expr negated =
        switch (value.expr()) {
          case Expr.IntLiteral number ->
              number.value() == Long.MIN_VALUE
                  ? negate(value)
                  : new Expr.IntLiteral(-number.value(), Scalar.INT64);
          case Expr.DoubleLiteral number -> new Expr.DoubleLiteral(-number.value(), Scalar.FLOAT64);
          case Expr.NullLiteral none -> none;
          default -> negate(value);
        };
    return new Located(negated, value.at());
  }

  private Expr negate(Located value) {
    Scalar type = value.type().integer() ? Scalar.INT64 : Scalar.FLOAT64;
    return new Expr.Negate(coercion.exactly(value, type, "'-'"), type);
  }

  private Located cast(CastExpression e) {
    String keyword = String.valueOf(e.keyword).toUpperCase(Locale.ROOT);
    boolean tolerant = keyword.equals("TRY_CAST");
    if (!(tolerant || keyword.equals("CAST"))
        || e.getFormat() != null
        || e.getColDataType() == null) {
      throw error(e, "only CAST(… AS type) and TRY_CAST(… AS type) are allowed");
    }
    operators++;
    Located value = resolve(e.getLeftExpression());
    Token type = word(e, e.getColDataType().toString().strip());
    return new Located(functions.cast(value, type, tolerant), value.at());
  }

  private Located extract(ExtractExpression e) {
    operators++;
    Token unit = word(e, e.getName());
    Located value = resolve(e.getExpression());
    return new Located(functions.extract(unit, value), unit.at());
  }

  private Located call(Function e) {
    Token name = word(e, e.getName());
    List<Located> arguments = new ArrayList<>();
    if (e.getParameters() != null) {
      for (Expression argument : e.getParameters()) {
        arguments.add(resolve(argument));
      }
    }
    return new Located(functions.call(name, arguments), name.at());
  }

  private Located list(ArrayConstructor e) {
    ExpressionList<?> items = e.getExpressions();
    List<Located> located = new ArrayList<>(items.size());
    for (Expression item : items) {
      located.add(resolve(item));
    }
    return new Located(functions.listOf(located, place(e)), place(e));
  }

  // The left-leaning trees of the parser, without recursion along the chain

  private static List<Expression> flatten(
      BinaryExpression e, Class<?> first, @Nullable Class<?> second, @Nullable Class<?> third) {
    Deque<Expression> parts = new ArrayDeque<>();
    Expression left = e;
    while (left instanceof BinaryExpression binary
        && (left.getClass() == first || left.getClass() == second || left.getClass() == third)) {
      parts.addFirst(binary.getRightExpression());
      left = binary.getLeftExpression();
    }
    parts.addFirst(left);
    return List.copyOf(parts);
  }

  private static List<String> symbols(BinaryExpression e, int count) {
    String[] symbols = new String[count];
    Expression node = e;
    for (int i = count - 1; i >= 0; i--) {
      BinaryExpression binary = (BinaryExpression) node;
      symbols[i] =
          switch (binary) {
            case Addition plus -> "+";
            case Subtraction minus -> "-";
            case Multiplication times -> "*";
            case Division by -> "/";
            case Modulo modulo -> "%";
            default -> "||";
          };
      node = binary.getLeftExpression();
    }
    return List.of(symbols);
  }

  // Errors

  private InvalidRequestException error(Expression e, String message) {
    return source.error(place(e), message);
  }

  private int place(Expression e) {
    String text = e.toString();
    Matcher leaf = PLACEHOLDER.matcher(text);
    if (leaf.find()) {
      return tokens.get(Integer.parseInt(leaf.group(1))).at();
    }
    return tokens.stream()
        .filter(token -> token.is(text))
        .mapToInt(Token::at)
        .findFirst()
        .orElse(0);
  }
}
