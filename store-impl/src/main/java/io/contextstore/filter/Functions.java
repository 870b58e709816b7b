package io.contextstore.filter;

import static java.util.Map.entry;

import io.contextstore.api.error.InvalidRequestException;
import io.contextstore.filter.ValueType.ListOf;
import io.contextstore.filter.ValueType.Scalar;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * The functions and casts that a filter may use, each with the types of its arguments. Missing on
 * purpose: whatever can make text of any length from little ({@code repeat}, {@code lpad}, {@code
 * replace}), whatever differs from call to call ({@code now}, {@code random}).
 *
 * <ul>
 *   <li>text: {@code lower upper trim btrim ltrim rtrim reverse length char_length octet_length
 *       substr left right starts_with ends_with contains strpos concat regexp_like regexp_match}
 *   <li>numbers: {@code abs round floor ceil sqrt isnan}
 *   <li>any: {@code coalesce nullif}
 *   <li>time: {@code to_timestamp_micros date_trunc date_part}
 *   <li>lists: {@code array_has array_contains array_has_any array_has_all array_length}, and
 *       {@code make_array} or brackets for a list of literals
 * </ul>
 */
final class Functions {
  private static final Set<String> TRUNCATED =
      Set.of(
          "microsecond",
          "millisecond",
          "second",
          "minute",
          "hour",
          "day",
          "week",
          "month",
          "quarter",
          "year");
  private static final Set<String> PARTS =
      Set.of(
          "microsecond",
          "millisecond",
          "second",
          "minute",
          "hour",
          "day",
          "week",
          "month",
          "quarter",
          "year",
          "doy",
          "dow",
          "epoch");
  private static final int MOST_DECIMALS = 30;

  private static final Map<String, Scalar> TYPES =
      Map.ofEntries(
          entry("STRING", Scalar.TEXT),
          entry("TEXT", Scalar.TEXT),
          entry("VARCHAR", Scalar.TEXT),
          entry("INT", Scalar.INT32),
          entry("INTEGER", Scalar.INT32),
          entry("INT32", Scalar.INT32),
          entry("BIGINT", Scalar.INT64),
          entry("INT64", Scalar.INT64),
          entry("FLOAT", Scalar.FLOAT32),
          entry("REAL", Scalar.FLOAT32),
          entry("FLOAT32", Scalar.FLOAT32),
          entry("DOUBLE", Scalar.FLOAT64),
          entry("FLOAT64", Scalar.FLOAT64),
          entry("BOOLEAN", Scalar.BOOL),
          entry("BOOL", Scalar.BOOL),
          entry("TIMESTAMP", Scalar.TIMESTAMP));

  private static final Map<String, Signature> ALL =
      Map.ofEntries(
          entry("lower", text("lower")),
          entry("upper", text("upper")),
          entry("trim", text("btrim")),
          entry("btrim", text("btrim")),
          entry("ltrim", text("ltrim")),
          entry("rtrim", text("rtrim")),
          entry("reverse", text("reverse")),
          entry("length", count("character_length", Scalar.TEXT)),
          entry("char_length", count("character_length", Scalar.TEXT)),
          entry("character_length", count("character_length", Scalar.TEXT)),
          entry("octet_length", count("octet_length", Scalar.TEXT)),
          entry("substr", Functions::substring),
          entry("substring", Functions::substring),
          entry("left", fixed("left", Scalar.TEXT, Scalar.TEXT, Scalar.INT64)),
          entry("right", fixed("right", Scalar.TEXT, Scalar.TEXT, Scalar.INT64)),
          entry("starts_with", fixed("starts_with", Scalar.BOOL, Scalar.TEXT, Scalar.TEXT)),
          entry("ends_with", fixed("ends_with", Scalar.BOOL, Scalar.TEXT, Scalar.TEXT)),
          entry("contains", fixed("contains", Scalar.BOOL, Scalar.TEXT, Scalar.TEXT)),
          entry("strpos", count("strpos", Scalar.TEXT, Scalar.TEXT)),
          entry("concat", Functions::concat),
          entry("regexp_like", Functions::regexp),
          entry("regexp_match", Functions::regexp),
          entry("abs", Functions::abs),
          entry("round", Functions::round),
          entry("floor", fixed("`floor`", Scalar.FLOAT64, Scalar.FLOAT64)),
          entry("ceil", fixed("`ceil`", Scalar.FLOAT64, Scalar.FLOAT64)),
          entry("ceiling", fixed("`ceil`", Scalar.FLOAT64, Scalar.FLOAT64)),
          entry("sqrt", fixed("sqrt", Scalar.FLOAT64, Scalar.FLOAT64)),
          entry("isnan", fixed("isnan", Scalar.BOOL, Scalar.FLOAT64)),
          entry("coalesce", Functions::coalesce),
          entry("nullif", Functions::nullif),
          entry(
              "to_timestamp_micros", fixed("to_timestamp_micros", Scalar.TIMESTAMP, Scalar.INT64)),
          entry("date_trunc", Functions::dateTrunc),
          entry("date_part", Functions::datePart),
          entry("array_has", Functions::arrayHas),
          entry("array_contains", Functions::arrayHas),
          entry("array_has_any", Functions::arrayHasSeveral),
          entry("array_has_all", Functions::arrayHasSeveral),
          entry("array_length", Functions::arrayLength),
          entry("make_array", call -> call.functions.listOf(call.arguments, call.at)));

  private final Source source;
  private final Coercion coercion;

  Functions(Source source, Coercion coercion) {
    this.source = source;
    this.coercion = coercion;
  }

  /** A call, checked. */
  Expr call(Token name, List<Located> arguments) {
    String lower = name.text().toLowerCase(Locale.ROOT);
    Signature signature = name.kind() == Token.Kind.NAME ? ALL.get(lower) : null;
    if (signature == null) {
      throw source.error(
          name.at(),
          "there is no function "
              + Source.quote(name.text())
              + " here; allowed are "
              + String.join(", ", new TreeSet<>(ALL.keySet())));
    }
    return signature.apply(new Arguments(this, lower, name.at(), arguments));
  }

  /** {@code EXTRACT(unit FROM value)}. */
  Expr extract(Token unit, Located value) {
    return part(unit.text(), unit.at(), value);
  }

  /** {@code CAST} and {@code TRY_CAST}, the latter null where the former fails. */
  Expr cast(Located value, Token type, boolean nullOnFailure) {
    Scalar target =
        type.kind() == Token.Kind.NAME ? TYPES.get(type.text().toUpperCase(Locale.ROOT)) : null;
    if (target == null) {
      throw source.error(
          type.at(),
          "there is no type "
              + Source.quote(type.text())
              + " for a cast; allowed are "
              + String.join(", ", new TreeSet<>(TYPES.keySet())));
    }
    if (value.isNull()) {
      return new Expr.NullLiteral(target);
    }
    if (value.type() == target) {
      return value.expr();
    }
    if (target == Scalar.TIMESTAMP) {
      Expr micros = value.expr();
      return micros.type().integer() && !(micros instanceof Expr.IntLiteral)
          ? new Expr.Call("to_timestamp_micros", List.of(micros), Scalar.TIMESTAMP)
          : coercion.to(value, Scalar.TIMESTAMP, "a cast to timestamp");
    }
    boolean known =
        switch (value.type()) {
          case Scalar.TEXT, Scalar.LARGE_TEXT -> true;
          case Scalar.BOOL -> target == Scalar.TEXT || target.integer();
          case Scalar.TIMESTAMP -> target == Scalar.INT64;
          case Scalar.INT32, Scalar.INT64 -> true;
          case Scalar.FLOAT32, Scalar.FLOAT64 -> target != Scalar.BOOL;
          default -> false;
        };
    if (!known) {
      throw source.error(
          value.at(), "a " + value.type().label() + " cannot be cast to " + target.label());
    }
    return new Expr.Cast(value.expr(), target, nullOnFailure);
  }

  /** A list of literals, all in the type that they have in common. */
  Expr listOf(List<Located> items, int at) {
    for (Located item : items) {
      if (!item.literal()) {
        throw source.error(item.at(), "a list is made of literals other than NULL");
      }
    }
    if (items.isEmpty()) {
      throw source.error(at, "a list must not be empty");
    }
    List<Expr> unified = coercion.same(items, "a list");
    return new Expr.ListLiteral(unified, (Scalar) unified.getFirst().type());
  }

  private static Expr substring(Arguments call) {
    call.count(2, 3);
    List<Expr> exprs = new ArrayList<>();
    exprs.add(call.get(0, Scalar.TEXT));
    exprs.add(call.get(1, Scalar.INT64));
    if (call.size() == 3) {
      exprs.add(call.get(2, Scalar.INT64));
      if (exprs.getLast() instanceof Expr.IntLiteral length && length.value() < 0) {
        throw call.error(2, "the length must not be negative");
      }
    }
    // Lance yields a third kind of text here, which must not meet the others.
    Expr part = new Expr.Call("`substr`", List.copyOf(exprs), Scalar.LARGE_TEXT);
    return new Expr.Cast(part, Scalar.TEXT, false);
  }

  /**
   * Nulls count as empty. Written with the operator: Lance's own function fails when all that is
   * left of its arguments after constant folding is empty.
   */
  private static Expr concat(Arguments call) {
    call.count(1, Integer.MAX_VALUE);
    Expr first = orEmpty(call.get(0, Scalar.TEXT));
    List<Expr.Step> rest = new ArrayList<>(call.size());
    for (int i = 1; i < call.size(); i++) {
      rest.add(new Expr.Step("||", orEmpty(call.get(i, Scalar.TEXT))));
    }
    return rest.isEmpty() ? first : new Expr.Chain(first, List.copyOf(rest), Scalar.TEXT);
  }

  private static Expr orEmpty(Expr text) {
    return switch (text) {
      case Expr.TextLiteral literal -> literal;
      case Expr.NullLiteral none -> new Expr.TextLiteral("");
      default -> new Expr.Call("coalesce", List.of(text, new Expr.TextLiteral("")), Scalar.TEXT);
    };
  }

  private static Expr regexp(Arguments call) {
    call.count(2, 2);
    Expr text = call.get(0, Scalar.TEXT);
    if (!(call.raw(1).expr() instanceof Expr.TextLiteral pattern)) {
      throw call.error(1, "the pattern is a literal such as '^a.*'");
    }
    return new Expr.Call("regexp_like", List.of(text, pattern), Scalar.BOOL);
  }

  private static Expr abs(Arguments call) {
    call.count(1, 1);
    Scalar type = call.raw(0).type().integer() ? Scalar.INT64 : Scalar.FLOAT64;
    return new Expr.Call("abs", List.of(call.get(0, type)), type);
  }

  private static Expr round(Arguments call) {
    call.count(1, 2);
    Expr value = call.get(0, Scalar.FLOAT64);
    if (call.size() == 1) {
      return new Expr.Call("round", List.of(value), Scalar.FLOAT64);
    }
    if (!(call.get(1, Scalar.INT64) instanceof Expr.IntLiteral decimals)
        || Math.abs(decimals.value()) > MOST_DECIMALS) {
      throw call.error(
          1, "the decimals are a literal from -" + MOST_DECIMALS + " to " + MOST_DECIMALS);
    }
    return new Expr.Call("round", List.of(value, decimals), Scalar.FLOAT64);
  }

  private static Expr coalesce(Arguments call) {
    call.count(1, Integer.MAX_VALUE);
    return call.same("coalesce");
  }

  private static Expr nullif(Arguments call) {
    call.count(2, 2);
    return call.same("nullif");
  }

  private static Expr dateTrunc(Arguments call) {
    call.count(2, 2);
    Expr unit = unit(call, TRUNCATED);
    return new Expr.Call(
        "date_trunc", List.of(unit, call.get(1, Scalar.TIMESTAMP)), Scalar.TIMESTAMP);
  }

  private static Expr datePart(Arguments call) {
    call.count(2, 2);
    if (!(call.raw(0).expr() instanceof Expr.TextLiteral unit)) {
      throw call.error(0, "a unit of time is a literal such as 'day'");
    }
    return call.functions.part(unit.value(), call.raw(0).at(), call.raw(1));
  }

  private Expr part(String unit, int at, Located value) {
    String lower = unit.toLowerCase(Locale.ROOT);
    checkUnit(lower, PARTS, at);
    Expr time = coercion.to(value, Scalar.TIMESTAMP, "date_part");
    boolean epoch = lower.equals("epoch");
    Expr part =
        new Expr.Call(
            "date_part",
            List.of(new Expr.Unit(lower), time),
            epoch ? Scalar.FLOAT64 : Scalar.INT32);
    return epoch ? part : new Expr.Cast(part, Scalar.INT64, false);
  }

  private static Expr unit(Arguments call, Set<String> units) {
    if (!(call.raw(0).expr() instanceof Expr.TextLiteral unit)) {
      throw call.error(0, "a unit of time is a literal such as 'day'");
    }
    String lower = unit.value().toLowerCase(Locale.ROOT);
    call.functions.checkUnit(lower, units, call.raw(0).at());
    return new Expr.Unit(lower);
  }

  private void checkUnit(String unit, Set<String> units, int at) {
    if (!units.contains(unit)) {
      throw source.error(
          at,
          Source.quote(unit)
              + " is not a unit of time; allowed are "
              + String.join(", ", new TreeSet<>(units)));
    }
  }

  private static Expr arrayHas(Arguments call) {
    call.count(2, 2);
    Scalar item = call.list(0).item();
    Located element = call.raw(1);
    Expr expr =
        element.type() == item && !element.literal()
            ? element.expr()
            : call.functions.coercion.item(element, item, call.name);
    return new Expr.Call("array_has", List.of(call.raw(0).expr(), expr), Scalar.BOOL);
  }

  private static Expr arrayHasSeveral(Arguments call) {
    call.count(2, 2);
    ListOf left = call.list(0);
    Expr right;
    if (call.raw(1).expr() instanceof Expr.ListLiteral literal) {
      int at = call.raw(1).at();
      List<Expr> items =
          literal.items().stream()
              .map(e -> call.functions.coercion.item(new Located(e, at), left.item(), call.name))
              .toList();
      right = new Expr.ListLiteral(items, left.item());
    } else if (call.list(1).equals(left)) {
      right = call.raw(1).expr();
    } else {
      throw call.error(1, call.name + " expects a " + left.label() + " here");
    }
    return new Expr.Call(call.name, List.of(call.raw(0).expr(), right), Scalar.BOOL);
  }

  private static Expr arrayLength(Arguments call) {
    call.count(1, 1);
    call.list(0);
    return new Expr.Cast(
        new Expr.Call("array_length", List.of(call.raw(0).expr()), Scalar.INT64),
        Scalar.INT64,
        false);
  }

  private static Signature text(String function) {
    return fixed(function, Scalar.TEXT, Scalar.TEXT);
  }

  /** A function whose result is 32 or 64 bits wide, depending on its arguments; here always 64. */
  private static Signature count(String function, Scalar... parameters) {
    Signature signature = fixed(function, Scalar.INT32, parameters);
    return call -> new Expr.Cast(signature.apply(call), Scalar.INT64, false);
  }

  private static Signature fixed(String function, Scalar result, Scalar... parameters) {
    return call -> {
      call.count(parameters.length, parameters.length);
      List<Expr> exprs = new ArrayList<>(parameters.length);
      for (int i = 0; i < parameters.length; i++) {
        exprs.add(call.get(i, parameters[i]));
      }
      return new Expr.Call(function, List.copyOf(exprs), result);
    };
  }

  @FunctionalInterface
  private interface Signature {
    Expr apply(Arguments call);
  }

  /** A call whose arguments are taken one by one. */
  private record Arguments(Functions functions, String name, int at, List<Located> arguments) {
    int size() {
      return arguments.size();
    }

    void count(int least, int most) {
      if (size() < least || size() > most) {
        String allowed =
            least == most
                ? Integer.toString(least)
                : most == Integer.MAX_VALUE ? "at least " + least : least + " to " + most;
        throw functions.source.error(
            at, name + " expects " + allowed + " argument(s), here are " + size());
      }
    }

    Located raw(int index) {
      return arguments.get(index);
    }

    Expr get(int index, Scalar type) {
      return functions.coercion.exactly(raw(index), type, name);
    }

    ListOf list(int index) {
      if (raw(index).expr() instanceof Expr.ColumnRef && raw(index).type() instanceof ListOf list) {
        if (list.item() == Scalar.BINARY && !name.equals("array_length")) {
          throw error(index, name + " is not supported for lists of binary");
        }
        return list;
      }
      throw error(index, name + " expects a list column, this is " + raw(index).type().label());
    }

    /** The function on all arguments, in the type that they have in common. */
    Expr same(String function) {
      List<Expr> exprs = functions.coercion.same(arguments, name);
      Scalar type = (Scalar) exprs.getFirst().type();
      if (type == Scalar.BINARY) {
        throw error(0, name + " is not supported for binary");
      }
      return new Expr.Call(function, exprs, type);
    }

    InvalidRequestException error(int index, String message) {
      return functions.source.error(raw(index).at(), message);
    }
  }
}
