package io.contextstore.filter;

import java.util.List;
import java.util.Random;

/** Random filters: some that follow the grammar and the types, some that are only loose tokens. */
final class RandomFilters {
  private static final String[] TOKENS = {
    "AND",
    "OR",
    "NOT",
    "IN",
    "BETWEEN",
    "LIKE",
    "ILIKE",
    "ESCAPE",
    "IS",
    "NULL",
    "TRUE",
    "FALSE",
    "CAST",
    "TRY_CAST",
    "AS",
    "EXTRACT",
    "FROM",
    "YEAR",
    "BIGINT",
    "STRING",
    "CASE",
    "WHEN",
    "THEN",
    "END",
    "SELECT",
    "EXISTS",
    "DISTINCT",
    "OVER",
    "ANY",
    "timestamp",
    "=",
    "<>",
    "!=",
    "<",
    "<=",
    ">",
    ">=",
    "+",
    "-",
    "*",
    "/",
    "%",
    "||",
    "|",
    "&",
    "!",
    "^",
    "~",
    "(",
    ")",
    "(",
    ")",
    "[",
    "]",
    ",",
    ",",
    ";",
    ".",
    ":",
    "?",
    "@",
    "#",
    "$$",
    "--",
    "/*",
    "*/",
    "\\",
    "{",
    "}",
    "n",
    "i",
    "s",
    "b",
    "ts",
    "d",
    "li",
    "\"n\"",
    "`s`",
    "_rowid",
    "nosuch",
    "lower(",
    "array_has(",
    "coalesce(",
    "5",
    "-5",
    "0",
    "5.0",
    "1e5",
    "1e999",
    "99999999999999999999",
    "0x1F",
    "'x'",
    "'it''s'",
    "'😀'",
    "'",
    "\"",
    "`",
    "X'ff'",
    "X'f'",
    "E'\\n'",
    "\n",
    "\t",
    "\u00a0",
    "雪",
    "\uD800",
    "\0"
  };

  private static final List<String> INTS =
      List.of(
          "n",
          "i",
          "0",
          "1",
          "-1",
          "5",
          "9223372036854775807",
          "-9223372036854775808",
          "2147483647",
          "-2147483648",
          "3000000000",
          "NULL",
          "\"Upper\"");
  private static final List<String> FLOATS =
      List.of("d", "f", "0.5", "-0.0", "1e300", "-1.7976931348623157e308", "4.9e-324", "2.0", "n");
  private static final List<String> TEXTS =
      List.of("s", "ls", "id", "''", "'a'", "'alpha'", "'雪😀'", "'%'", "'\\'", "'it''s'", "NULL");
  private static final List<String> TIMES =
      List.of(
          "ts",
          "timestamp '2026-01-31T12:00:00Z'",
          "to_timestamp_micros(n)",
          "to_timestamp_micros(9223372036854775807)",
          "CAST(i AS TIMESTAMP)");
  private static final List<String> PATTERNS =
      List.of("'a%'", "'_'", "'%\\'", "'%%__%%'", "'\\%'", "'雪%'", "''");

  private final Random random;

  RandomFilters(Random random) {
    this.random = random;
  }

  /** Tokens in any order, up to 8 KiB of them. */
  String tokens() {
    int count = 1 + random.nextInt(random.nextInt(20) == 0 ? 3000 : 30);
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < count; i++) {
      text.append(pick(List.of(TOKENS))).append(random.nextBoolean() ? " " : "");
    }
    return text.toString();
  }

  /** A condition whose types mostly fit. */
  String condition(int depth) {
    if (depth <= 0) {
      return pick(
          List.of(
              "b",
              "TRUE",
              "FALSE",
              "NULL",
              "n = 5",
              "s = 'x'",
              "(b)",
              "casex",
              "d > 0.5",
              "id = 'r3'",
              "id > 'r2'",
              "id IN ('r1', NULL, '')",
              "id LIKE 'r%'",
              "id IS NULL",
              "id BETWEEN 'r4' AND 'r2'",
              "starts_with(id, 'r')"));
    }
    int d = depth - 1;
    return switch (random.nextInt(20)) {
      case 0, 1 -> "(" + condition(d) + " AND " + condition(d) + ")";
      case 2, 3 -> "(" + condition(d) + " OR " + condition(d) + ")";
      case 4 -> "NOT " + condition(d);
      case 5 -> "NOT (" + condition(d) + ")";
      case 6 -> integer(d) + comparison() + integer(d);
      case 7 -> number(d) + comparison() + number(d);
      case 8 -> text(d) + comparison() + text(d);
      case 9 -> time(d) + comparison() + time(d);
      case 10 -> integer(d) + not() + " IN (" + integer(d) + ", " + number(d) + ", 7)";
      case 11 -> text(d) + not() + " IN (" + text(0) + ", " + text(d) + ")";
      case 12 -> number(d) + not() + " BETWEEN " + number(d) + " AND " + integer(d);
      case 13 -> text(d) + not() + pick(List.of(" LIKE ", " ILIKE ")) + pick(PATTERNS);
      case 14 -> "(" + condition(d) + ") IS" + not() + pick(List.of(" TRUE", " FALSE", " NULL"));
      case 15 -> pick(List.of("v", "blob", "li", "bin", "ts", "n")) + " IS" + not() + " NULL";
      case 16 -> lists();
      case 17 ->
          pick(List.of("starts_with", "ends_with", "contains"))
              + "("
              + text(d)
              + ", "
              + text(d)
              + ")";
      case 18 -> "(" + condition(d) + ") = (" + condition(d) + ")";
      default -> "coalesce((" + condition(d) + "), b)";
    };
  }

  private String lists() {
    return switch (random.nextInt(9)) {
      case 0 -> "array_has(li, " + pick(List.of("4", "4.0", "n", "-9223372036854775808")) + ")";
      case 1 -> "array_has_any(lf, [4, 5.5, -1])";
      case 2 -> "array_has_all(li32, make_array(1, 2))";
      case 3 -> "array_has_any(lst, ['e1', '雪'])";
      case 4 -> "array_length(lts) > 1";
      case 5 -> "array_has_any(lf32, [1, 2.5, 3])";
      case 6 -> "array_has_all(lb, [TRUE, FALSE])";
      case 7 -> "array_has(lts, '1970-01-01T00:00:00.000004Z')";
      default -> "array_has_any(li, li)";
    };
  }

  private String integer(int depth) {
    if (depth <= 0) {
      return pick(INTS);
    }
    int d = depth - 1;
    return switch (random.nextInt(12)) {
      case 0, 1 ->
          "(" + integer(d) + pick(List.of(" + ", " - ", " * ", " / ", " % ")) + integer(d) + ")";
      case 2 -> "- (" + integer(d) + ")";
      case 3 -> "abs(" + integer(d) + ")";
      case 4 -> "length(" + text(d) + ")";
      case 5 -> "CAST(" + number(d) + " AS BIGINT)";
      case 6 -> "TRY_CAST(" + text(d) + " AS INT)";
      case 7 -> "coalesce(" + integer(d) + ", " + integer(d) + ")";
      case 8 ->
          "EXTRACT(" + pick(List.of("YEAR", "WEEK", "DOY", "SECOND")) + " FROM " + time(d) + ")";
      case 9 -> "strpos(" + text(d) + ", " + text(d) + ")";
      case 10 -> "CAST(" + time(d) + " AS BIGINT)";
      default -> "nullif(" + integer(d) + ", " + integer(d) + ")";
    };
  }

  private String number(int depth) {
    if (depth <= 0) {
      return pick(FLOATS);
    }
    int d = depth - 1;
    return switch (random.nextInt(9)) {
      case 0, 1 -> "(" + number(d) + pick(List.of(" + ", " * ", " / ", " % ")) + integer(d) + ")";
      case 2 -> "- (" + number(d) + ")";
      case 3 -> pick(List.of("floor", "ceil", "sqrt", "abs")) + "(" + number(d) + ")";
      case 4 -> "round(" + number(d) + ", " + pick(List.of("-30", "30", "2", "0")) + ")";
      case 5 -> "CAST(" + integer(d) + " AS DOUBLE)";
      case 6 -> "CAST(" + number(d) + " AS FLOAT)";
      case 7 -> "date_part('epoch', " + time(d) + ")";
      default -> integer(d);
    };
  }

  private String text(int depth) {
    if (depth <= 0) {
      return pick(TEXTS);
    }
    int d = depth - 1;
    return switch (random.nextInt(9)) {
      case 0 -> pick(List.of("lower", "upper", "trim", "reverse", "ltrim")) + "(" + text(d) + ")";
      case 1 -> "(" + text(d) + " || " + text(d) + ")";
      case 2 -> "substr(" + text(d) + ", " + integer(d) + ")";
      case 3 -> "substr(" + text(d) + ", " + integer(d) + ", " + pick(List.of("0", "3")) + ")";
      case 4 -> pick(List.of("left", "right")) + "(" + text(d) + ", " + integer(d) + ")";
      case 5 ->
          "CAST(" + pick(List.of(integer(d), number(d), "(" + condition(d) + ")")) + " AS STRING)";
      case 6 -> "concat(" + text(d) + ", " + text(d) + ")";
      case 7 -> "coalesce(" + text(d) + ", " + text(d) + ")";
      default -> "nullif(" + text(d) + ", " + text(d) + ")";
    };
  }

  private String time(int depth) {
    if (depth <= 0) {
      return pick(TIMES);
    }
    int d = depth - 1;
    return switch (random.nextInt(4)) {
      case 0 ->
          "date_trunc('"
              + pick(List.of("day", "week", "month", "quarter", "year", "second"))
              + "', "
              + time(d)
              + ")";
      case 1 -> "to_timestamp_micros(" + integer(d) + ")";
      case 2 -> "coalesce(" + time(d) + ", " + time(d) + ")";
      default -> time(0);
    };
  }

  private String comparison() {
    return pick(List.of(" = ", " <> ", " < ", " <= ", " > ", " >= ", " != "));
  }

  private String not() {
    return random.nextInt(3) == 0 ? " NOT" : "";
  }

  private String pick(List<String> choices) {
    return choices.get(random.nextInt(choices.size()));
  }
}
