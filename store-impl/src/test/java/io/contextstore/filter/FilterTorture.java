package io.contextstore.filter;

import io.contextstore.api.error.InvalidRequestException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutionException;

/**
 * Runs in a JVM of its own: gives hostile filters to the compiler and what it accepts to Lance.
 * Ends with 0 if it lives, every accepted filter is understood by Lance, and none takes long.
 * Before a filter goes to Lance its text is printed, so that the last line before a crash is the
 * culprit.
 */
final class FilterTorture {
  private static final long TOO_SLOW_MILLIS = 10_000;

  private final FilterCompiler compiler = new FilterCompiler(FilterLimits.DEFAULT);
  private final SampleTable table;
  private int accepted;
  private int refused;
  private int failed;
  private long slowest;
  private String slowestFilter = "";

  private FilterTorture(SampleTable table) {
    this.table = table;
  }

  public static void main(String[] args) {
    RandomFilters random = new RandomFilters(new Random(Long.parseLong(args[0])));
    try (SampleTable table = new SampleTable()) {
      FilterTorture torture = new FilterTorture(table);
      HostileTextTest.floods().forEach(torture::refuse);
      atTheBounds().forEach(torture::accept);
      for (int i = 0; i < 20_000; i++) {
        torture.feed(random.tokens());
      }
      for (int i = 0; i < 6_000; i++) {
        torture.feed(random.condition(1 + i % 8));
      }
      System.out.println(
          "accepted %d, refused %d, failed in Lance %d, slowest %d ms (%s)"
              .formatted(
                  torture.accepted,
                  torture.refused,
                  torture.failed,
                  torture.slowest,
                  Source.quote(torture.slowestFilter)));
    }
  }

  /** Filters as large as the limits allow. */
  private static List<String> atTheBounds() {
    List<String> filters = new ArrayList<>();
    for (String operator : List.of(" AND ", " OR ")) {
      filters.add("b" + (operator + "b").repeat(64));
      filters.add("n = 1" + (operator + "n = 2").repeat(31));
      filters.add("NOT b" + (operator + "NOT b").repeat(31));
    }
    for (String operator : List.of(" + ", " - ", " * ")) {
      filters.add("n" + (operator + "1").repeat(63) + " = 5");
      filters.add("d" + (operator + "d").repeat(63) + " = 5");
    }
    filters.add("s" + " || s".repeat(63) + " = 'x'");
    filters.add("concat(s" + ", s".repeat(400) + ") = 'x'");
    filters.add("coalesce(" + "n, ".repeat(1023) + "5) = 5");
    filters.add("(".repeat(32) + "b" + ")".repeat(32));
    filters.add("(".repeat(32) + "b" + " AND b)".repeat(32));
    filters.add("(".repeat(32) + "n" + " + 1)".repeat(32) + " = 5");
    filters.add("(".repeat(20) + "b" + ") IS NULL".repeat(20));
    filters.add("(b AND ".repeat(20) + "b" + ")".repeat(20));
    filters.add("(b AND (b OR ".repeat(10) + "b" + "))".repeat(10));
    filters.add("(b = ".repeat(13) + "b" + ")".repeat(13));
    filters.add("NOT ".repeat(21) + "b");
    filters.add("NOT (".repeat(21) + "b" + ")".repeat(21));
    filters.add("-(".repeat(20) + "n" + ")".repeat(20) + " = 5");
    filters.add("(n = 1 AND ".repeat(20) + "b" + ")".repeat(20));
    filters.add("length(CAST(".repeat(13) + "n" + " AS STRING))".repeat(13) + " = 1");
    filters.add("coalesce(s, ".repeat(20) + "ls" + ")".repeat(20) + " = 'x'");
    filters.add("b IN (".repeat(13) + "b" + ")".repeat(13));
    for (String function : List.of("abs", "floor", "sqrt")) {
      filters.add((function + "(").repeat(32) + "n" + ")".repeat(32) + " > 0");
    }
    for (String function : List.of("lower", "upper", "trim", "reverse")) {
      filters.add((function + "(").repeat(32) + "s" + ")".repeat(32) + " = 'x'");
    }
    filters.add("CAST(CAST(".repeat(16) + "n" + " AS DOUBLE) AS BIGINT)".repeat(16) + " = 5");
    filters.add("date_trunc('day', ".repeat(32) + "ts" + ")".repeat(32) + " > 0");
    filters.add("coalesce(b, ".repeat(32) + "b" + ")".repeat(32));
    filters.add("substr(".repeat(21) + "s" + ", 1)".repeat(21) + " = 's'");
    filters.add("n + (".repeat(19) + "n" + ")".repeat(19) + " = 5");
    filters.add("n IN (" + "-1,".repeat(1023) + "-1)");
    filters.add("i NOT IN (" + "3000000000,".repeat(700) + "1)");
    filters.add("n IN (" + "-9223372036854775808,".repeat(380) + "1)");
    filters.add("f IN (" + "0.1,".repeat(1023) + "1)");
    filters.add("s IN (" + "'',".repeat(1023) + "'')");
    filters.add("s IN (" + "'雪😀',".repeat(700) + "'')");
    filters.add("id IN (" + "'',".repeat(1023) + "'r1')");
    filters.add("id IN (" + "'雪😀',".repeat(700) + "'r1') OR id > 'r5'");
    filters.add("id = 'r1'" + " OR id = 'r2'".repeat(31));
    filters.add("id LIKE '" + "r".repeat(8000) + "%'");
    filters.add("ts IN (" + "1,".repeat(1023) + "1)");
    filters.add("bin IN (" + "X'ff',".repeat(1023) + "X'00')");
    filters.add("b IN (" + "NULL,".repeat(1023) + "TRUE)");
    filters.add("n IN (" + "i,".repeat(1023) + "5)");
    filters.add("array_has_any(li, [" + "1,".repeat(1023) + "4])");
    filters.add("array_has_all(li32, [" + "1,".repeat(1023) + "4])");
    filters.add("array_has_any(lf32, [" + "1.5,".repeat(1023) + "4])");
    filters.add("array_has_any(lst, [" + "'a',".repeat(1023) + "'b'])");
    filters.add("array_has_any(lts, [" + "1,".repeat(1023) + "4])");
    filters.add("s = '" + "x".repeat(8186) + "'");
    filters.add("s = '" + "😀".repeat(2046) + "'");
    filters.add("s > '" + "''".repeat(4000) + "'");
    filters.add("s LIKE '" + "%".repeat(8000) + "'");
    filters.add("s LIKE '" + "%a_".repeat(2700) + "'");
    filters.add("s ILIKE '" + "%雪".repeat(2000) + "'");
    filters.add("s LIKE '" + "\\".repeat(8000) + "'");
    filters.add("bin = X'" + "00".repeat(4090) + "'");
    filters.add("d = 0." + "0".repeat(8000) + "1");
    filters.add("d = " + "9".repeat(300) + ".0");
    filters.add("regexp_like(s, '" + "(".repeat(200) + ")".repeat(200) + "')");
    filters.add("regexp_like(s, '" + "(".repeat(4000) + ")".repeat(4000) + "')");
    filters.add("regexp_like(s, '(\\w{50}){50}')");
    filters.add("regexp_like(s, '\\w{1000}{1000}')");
    filters.add("regexp_like(s, '" + "(\\pL|\\pN)*".repeat(700) + "')");
    filters.add("regexp_like(s, '(a*)*(a*)*(a|a)*b')");
    filters.add("regexp_like(s, '(?i)" + "[^雪]".repeat(1300) + "')");
    filters.add("starts_with(s, '" + "x".repeat(8000) + "')");
    return filters;
  }

  private void refuse(String filter) {
    if (feed(filter)) {
      throw new AssertionError("accepted: " + filter);
    }
  }

  private void accept(String filter) {
    if (!feed(filter)) {
      throw new AssertionError("refused: " + filter);
    }
  }

  private boolean feed(String filter) {
    RenderedFilter rendered;
    try {
      rendered = compiler.compile(filter, SampleTable.SCHEMA);
    } catch (InvalidRequestException e) {
      refused++;
      return false;
    }
    System.out.println(rendered.sql());
    long start = System.nanoTime();
    try {
      table.keys(rendered);
    } catch (ExecutionException e) {
      failed++;
      refuseMisunderstanding(filter, rendered, String.valueOf(e.getCause().getMessage()));
    }
    long millis = (System.nanoTime() - start) / 1_000_000;
    if (millis > slowest) {
      slowest = millis;
      slowestFilter = filter;
    }
    if (millis > TOO_SLOW_MILLIS) {
      throw new AssertionError(millis + " ms for " + filter);
    }
    accepted++;
    return true;
  }

  /** A filter may fail on a row (overflow, an impossible cast), but Lance must understand it. */
  private static void refuseMisunderstanding(
      String filter, RenderedFilter rendered, String message) {
    boolean onRow =
        message.contains("Query Execution error")
            || message.contains("Invalid regex")
            || message.contains("Cast error")
            || message.contains("Overflow")
            || message.contains("overflow")
            || message.contains("Divide by zero")
            || message.contains("negative substring length");
    if (!onRow || message.contains("recursion limit")) {
      throw new AssertionError(message + "\nfor " + filter + "\nas " + rendered.sql());
    }
  }
}
