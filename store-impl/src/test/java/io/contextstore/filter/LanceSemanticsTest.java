package io.contextstore.filter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.contextstore.api.RowKey;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.FieldSource;
import org.junit.jupiter.params.provider.MethodSource;

/** What a rendered filter keeps when real Lance runs it, against the same condition in Java. */
class LanceSemanticsTest {
  private static final FilterCompiler COMPILER = new FilterCompiler(FilterLimits.DEFAULT);
  private static SampleTable table;

  @BeforeAll
  static void write() {
    table = new SampleTable();
  }

  @AfterAll
  static void close() {
    table.close();
  }

  /** A condition over a row in which everything but the key is there. */
  private static Arguments filter(String sql, Predicate<SampleTable.Row> condition) {
    return arguments(
        sql, (Predicate<SampleTable.Row>) row -> row.number() != null && condition.test(row));
  }

  /** A condition that looks at nulls itself. */
  private static Arguments nullable(String sql, Predicate<SampleTable.Row> condition) {
    return arguments(sql, condition);
  }

  static Stream<Arguments> conditions() {
    return Stream.of(
        // Text
        filter("s = '雪😀'", r -> r.s().equals("雪😀")),
        filter("ls = '雪😀'", r -> r.s().equals("雪😀")),
        filter("s = 'it''s'", r -> r.s().equals("it's")),
        filter("s = 'back\\slash'", r -> r.s().equals("back\\slash")),
        filter("s = ''", r -> r.s().isEmpty()),
        filter("s <> ''", r -> !r.s().isEmpty()),
        filter("s < 'b' AND s >= 'a'", r -> r.s().compareTo("b") < 0 && r.s().compareTo("a") >= 0),
        filter(
            "ls BETWEEN 'a' AND 'c'", r -> r.s().compareTo("a") >= 0 && r.s().compareTo("c") <= 0),
        filter("s IN ('alpha', '雪😀', NULL)", r -> List.of("alpha", "雪😀").contains(r.s())),
        filter("s NOT IN ('alpha', '雪😀')", r -> !List.of("alpha", "雪😀").contains(r.s())),
        filter("s NOT IN ('alpha', NULL)", r -> false),
        filter("s = ls", r -> true),
        filter("s LIKE 'a%'", r -> r.s().startsWith("a")),
        filter("ls LIKE '雪_'", r -> r.s().equals("雪😀")),
        filter("s LIKE 'a\\%b\\_c'", r -> r.s().equals("a%b_c")),
        filter("s LIKE 'a!%b!_c' ESCAPE '!'", r -> r.s().equals("a%b_c")),
        filter("s LIKE 'a😀%b😀_c' ESCAPE '😀'", r -> r.s().equals("a%b_c")),
        filter("s LIKE 'back\\s%' ESCAPE '!'", r -> r.s().startsWith("back\\s")),
        filter("s NOT LIKE '%a%'", r -> !r.s().contains("a")),
        filter("ls ILIKE 'BETA'", r -> r.s().equalsIgnoreCase("beta")),
        filter("s NOT ILIKE 'A%'", r -> !r.s().toLowerCase(Locale.ROOT).startsWith("a")),
        filter("upper(s) = 'BETA' OR lower(ls) = 'alpha'", r -> r.s().matches("Beta|alpha")),
        filter("length(s) = 2", r -> r.s().codePointCount(0, r.s().length()) == 2),
        filter("octet_length(ls) = 7", r -> r.s().equals("雪😀")),
        filter("trim('  alpha ') = s", r -> r.s().equals("alpha")),
        filter("ltrim(' Beta') = s OR rtrim('Beta ') = s", r -> r.s().equals("Beta")),
        filter("substr(s, 2, 3) = 'lph'", r -> r.s().equals("alpha")),
        filter("substring(ls, 2) = 'eta'", r -> r.s().equals("Beta")),
        filter("left(s, 2) = 'al' OR right(s, 2) = 'ta'", r -> r.s().matches("alpha|Beta")),
        filter("starts_with(s, '雪')", r -> r.s().startsWith("雪")),
        filter("ends_with(ls, 'a') AND contains(s, 'ph')", r -> r.s().equals("alpha")),
        filter("strpos(s, 'ph') = 3", r -> r.s().equals("alpha")),
        filter("concat(s, '!', ls) = 'Beta!Beta'", r -> r.s().equals("Beta")),
        nullable("concat(s, NULL, '') = ''", r -> r.s() == null || r.s().isEmpty()),
        nullable("concat('', NULL) = '' AND concat(s) = ''", r -> r.s() == null || r.s().isEmpty()),
        filter("s || '!' || ls = 'Beta!Beta'", r -> r.s().equals("Beta")),
        filter("reverse(s) = 'ateB'", r -> r.s().equals("Beta")),
        filter("regexp_like(s, '^[aB].*a$')", r -> r.s().matches("[aB].*a")),
        filter("regexp_match(ls, 'L')", r -> r.s().contains("L")),
        // Whole numbers
        filter("n = 5.0", r -> r.n() == 5),
        filter("n = 5.5", r -> false),
        filter("n > 4.5 AND n < 1e3", r -> r.n() > 4.5 && r.n() < 1000),
        filter("n <> 5.5", r -> true),
        filter("n = 9223372036854775807", r -> r.n() == Long.MAX_VALUE),
        filter("n = -9223372036854775808", r -> r.n() == Long.MIN_VALUE),
        filter("n < -9223372036854775807", r -> r.n() == Long.MIN_VALUE),
        filter("i < 3000000000", r -> true),
        filter("i = 3000000000 OR i IN (5, 3000000000)", r -> r.i() == 5),
        filter("i BETWEEN -3000000000 AND 0", r -> r.i() <= 0),
        filter("i = -2147483648", r -> r.i() == Integer.MIN_VALUE),
        filter("i = n", r -> r.i().longValue() == r.n()),
        filter("n IN (1, -1, 7.0)", r -> List.of(1L, -1L, 7L).contains(r.n())),
        filter("n NOT BETWEEN 0 AND 5", r -> r.n() < 0 || r.n() > 5),
        filter("n % 2 = 1 AND n / 2 = 2", r -> r.n() == 5),
        filter("n - 1 - 1 = 3", r -> r.n() == 5),
        filter("n - (1 - 1) = 5", r -> r.n() == 5),
        filter("1 + n * 2 = 11", r -> r.n() == 5),
        filter("- i = 1", r -> r.i() == -1),
        filter("n - -5 = 10 AND -(n + 1) = -6", r -> r.n() == 5),
        filter("abs(i) = 1", r -> Math.abs((long) r.i()) == 1),
        filter("i + i > 4000000000 OR -i = 2147483648", r -> Math.abs((long) r.i()) > 2000000000),
        filter("CAST(n AS DOUBLE) / 2 = 2.5", r -> r.n() == 5),
        filter("CAST(n AS STRING) = '5'", r -> r.n() == 5),
        nullable("TRY_CAST(s AS BIGINT) IS NULL", r -> true),
        filter("CAST(b AS INT) = 1", r -> r.b()),
        // Floating-point numbers
        filter("f = 0.1", r -> r.f() == 0.1f),
        filter("f < 1e300", r -> true),
        filter("f = 16777217", r -> r.f() == 16777216f),
        filter("f IN (1.5, 0.1)", r -> r.f() == 1.5f || r.f() == 0.1f),
        filter("f BETWEEN -1e300 AND 0.5", r -> r.f() >= -1e300 && r.f() <= 0.5),
        filter("f = -1e300", r -> false),
        filter("d = 0.1 OR d = 1", r -> r.d() == 0.1),
        filter("d > n", r -> r.d() > (double) r.n()),
        filter("d + 1.5 > 3 AND d * 2 < 10", r -> r.d() + 1.5 > 3 && r.d() * 2 < 10),
        filter("floor(d) = 4 AND ceil(d) = 5 AND round(d, 1) = 4.5", r -> r.d() == 4.5),
        filter("sqrt(d) > 2 AND NOT isnan(d)", r -> Math.sqrt(r.d()) > 2),
        filter("d = 4.9e-324", r -> false),
        filter("d >= 1e300", r -> r.d() >= 1e300),
        // Booleans and nulls
        filter("b", r -> r.b()),
        filter("NOT b", r -> !r.b()),
        filter("b = FALSE", r -> !r.b()),
        filter("b IN (TRUE)", r -> r.b()),
        filter("(n > 0) = b", r -> r.n() > 0 == r.b()),
        filter("b = (n > 0 OR d > 0.5)", r -> r.b() == (r.n() > 0 || r.d() > 0.5)),
        filter("b IN ((s = 'Beta'), NULL)", r -> r.b() == r.s().equals("Beta")),
        filter("i = n + 3000000000 - 3000000000", r -> r.i().longValue() == r.n()),
        filter("f = d * 1.0", r -> (double) r.f() == r.d()),
        filter("NOT (b AND n > 0) AND n > 0", r -> !r.b() && r.n() > 0),
        filter("b OR n = 0 AND s = 'x'", r -> r.b()),
        nullable("b IS TRUE", r -> Boolean.TRUE.equals(r.b())),
        nullable("b IS NOT TRUE", r -> !Boolean.TRUE.equals(r.b())),
        nullable("b IS NOT FALSE", r -> !Boolean.FALSE.equals(r.b())),
        nullable("(n > 0) IS FALSE", r -> r.n() != null && r.n() <= 0),
        nullable("n IS NULL", r -> r.n() == null),
        nullable("n IS NOT NULL", r -> r.n() != null),
        nullable("v IS NULL AND blob IS NULL AND bin IS NULL", r -> r.number() == null),
        nullable("li IS NULL OR lbin IS NULL", r -> r.number() == null),
        nullable("NULL", r -> false),
        nullable("TRUE", r -> true),
        nullable("FALSE OR TRUE AND NULL", r -> false),
        nullable("NULL AND TRUE OR id = 'r3'", r -> r.id().equals("r3")),
        nullable("n = NULL OR n <> NULL OR NULL = NULL", r -> false),
        nullable("NULL IS NULL", r -> true),
        nullable("NOT NULL", r -> false),
        nullable("coalesce(n, 5) = 5", r -> r.n() == null || r.n() == 5),
        nullable("coalesce(s, ls, 'none') = 'none'", r -> r.s() == null),
        nullable("coalesce(NULL, n, 2.5) = 2.5", r -> r.n() == null),
        nullable("coalesce(ts, 1) = 1", r -> r.ts() == null || r.ts() == 1),
        nullable("nullif(n, 5) IS NULL", r -> r.n() == null || r.n() == 5),
        nullable("nullif(s, 'Beta') IS NULL", r -> r.s() == null || r.s().equals("Beta")),
        // Timestamps
        filter("ts = 1700000000123456", r -> r.ts() == 1_700_000_000_123_456L),
        filter("ts < 0", r -> r.ts() < 0),
        filter("ts = '2023-11-14T22:13:20.123456Z'", r -> r.ts() == 1_700_000_000_123_456L),
        filter("ts >= '2023-11-15T00:13:20+02:00'", r -> r.ts() >= 1_700_000_000_000_000L),
        filter("ts = 9223372036854775807", r -> r.ts() == Long.MAX_VALUE),
        filter("ts = -9223372036854775808", r -> r.ts() == Long.MIN_VALUE),
        filter("ts IN (0, '1970-01-01T00:00:00.000001Z', NULL)", r -> r.ts() == 0 || r.ts() == 1),
        filter("ts NOT BETWEEN -1 AND 1", r -> r.ts() < -1 || r.ts() > 1),
        filter("timestamp '1970-01-01T00:00:00Z' = ts", r -> r.ts() == 0),
        filter("to_timestamp_micros(n) = ts", r -> r.n().equals(r.ts())),
        filter("CAST(n AS TIMESTAMP) = ts", r -> r.n().equals(r.ts())),
        filter("CAST(ts AS BIGINT) = -1", r -> r.ts() == -1),
        filter(
            "date_trunc('day', ts) = '2023-11-14T00:00:00Z'",
            r -> time(r.ts()).truncatedTo(ChronoUnit.DAYS).toString().startsWith("2023-11-14")),
        filter("EXTRACT(YEAR FROM ts) = 2023", r -> time(r.ts()).getYear() == 2023),
        filter("date_part('doy', ts) = 318", r -> time(r.ts()).getDayOfYear() == 318),
        filter("date_part('epoch', ts) = 1700000000.123456", r -> r.ts() == 1_700_000_000_123_456L),
        // Bytes
        filter("bin = X'03FF'", r -> r.number() == 3),
        filter("bin > X'03' AND bin NOT IN (X'05ff')", r -> r.number() > 2 && r.number() != 5),
        // Lists
        filter("array_has(li, 4)", r -> r.list().contains(4L)),
        filter("array_contains(li32, 5.0)", r -> r.list().contains(5L)),
        filter("array_has(li, n)", r -> r.list().contains(r.n())),
        filter(
            "array_has(lst, 'e4') OR array_has(lf, 1.5)",
            r -> r.list().contains(4L) || r.list().contains(1L)),
        filter("array_has(lf32, 4.5)", r -> r.list().contains(4L)),
        filter("array_has(lb, FALSE)", r -> r.list().stream().anyMatch(x -> x % 2 == 0)),
        filter("array_has(lts, '1970-01-01T00:00:00.000004Z')", r -> r.list().contains(4L)),
        filter(
            "array_has_any(li, [4, 1, -9223372036854775808])",
            r -> r.list().contains(4L) || r.list().contains(1L)),
        filter("array_has_all(li, [5, 6])", r -> r.list().containsAll(List.of(5L, 6L))),
        filter(
            "array_has_any(li32, [4, 1.0])", r -> r.list().contains(4L) || r.list().contains(1L)),
        filter("array_has_all(lst, ['e5', 'e6'])", r -> r.list().containsAll(List.of(5L, 6L))),
        filter("array_has_any(lf, [4.5, 100])", r -> r.list().contains(4L)),
        filter("array_has_any(lf32, make_array(4.5, 100))", r -> r.list().contains(4L)),
        filter("array_has_all(lb, [TRUE, FALSE])", r -> r.list().size() == 2),
        filter("array_has_any(lts, [4, 1])", r -> r.list().contains(4L) || r.list().contains(1L)),
        filter("array_has_all(lts, ['1970-01-01T00:00:00.000005Z'])", r -> r.list().contains(5L)),
        filter("array_has_any(li, li)", r -> !r.list().isEmpty()),
        filter("array_length(li) = 2 OR array_length(lbin) = 1", r -> !r.list().isEmpty()),
        // The key, by its index
        nullable("id = 'r3' OR id = 'nosuch'", r -> r.id().equals("r3")),
        nullable("id IN ('r3', 'r5', NULL)", r -> r.id().matches("r[35]")),
        nullable("id NOT IN ('r3', 'r5')", r -> !r.id().matches("r[35]")),
        nullable("id > 'r2' AND id <= 'r4'", r -> r.id().matches("r[34]")),
        nullable("id BETWEEN 'r2' AND 'r4'", r -> r.id().matches("r[234]")),
        nullable("id NOT BETWEEN 'r2' AND 'r4'", r -> !r.id().matches("r[234]")),
        nullable("id < 'r2' OR NOT id < 'r6'", r -> r.id().matches("r[0167]")),
        nullable("id <> 'r2'", r -> !r.id().equals("r2")),
        nullable("id LIKE 'r%' AND id LIKE '%3'", r -> r.id().equals("r3")),
        nullable("starts_with(id, 'r3')", r -> r.id().equals("r3")),
        nullable("id = NULL OR id IS NULL", r -> false),
        nullable(
            "id IS NOT NULL AND (id = 'r3' OR b)",
            r -> r.id().equals("r3") || (r.number() != null && r.b())),
        nullable("'r3' = id AND n = 5", r -> r.id().equals("r3")),
        nullable("id = 'r3' || ''", r -> r.id().equals("r3")),
        nullable("id BETWEEN 'r4' AND 'r2'", r -> false),
        // Names
        filter("\"CASEX\" = 3 OR casex AND b", r -> r.number() == 3 || r.b()));
  }

  private static ZonedDateTime time(long micros) {
    return Instant.EPOCH.plus(micros, ChronoUnit.MICROS).atZone(ZoneOffset.UTC);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("conditions")
  void keepsTheSameRows(String filter, Predicate<SampleTable.Row> condition) throws Exception {
    assertThat(table.keys(COMPILER.compile(filter, SampleTable.SCHEMA)))
        .isEqualTo(
            SampleTable.ROWS.stream()
                .filter(condition)
                .map(SampleTable.Row::id)
                .collect(Collectors.toCollection(TreeSet::new)));
  }

  static Stream<Arguments> terms() {
    return Stream.of(
        arguments(
            "Utf8",
            List.of(
                "lower(ls)",
                "upper(s)",
                "trim(ls)",
                "ltrim(s)",
                "rtrim(s)",
                "reverse(ls)",
                "substr(s, 1)",
                "substr(ls, 1, 2)",
                "left(ls, 1)",
                "right(s, 1)",
                "concat(s, ls)",
                "s || ls",
                "substr(s, 1) || ls || 'x'",
                "coalesce(ls, s)",
                "coalesce(ls, 'x')",
                "nullif(ls, s)",
                "nullif(substr(s, 1), 'x')",
                "CAST(n AS STRING)",
                "CAST(ls AS STRING)",
                "CAST(d AS STRING)",
                "CAST(b AS STRING)")),
        arguments(
            "Int64",
            List.of(
                "i + 1",
                "i + i",
                "n * i - 1",
                "n % 2",
                "n / 3",
                "- i",
                "abs(i + 0)",
                "length(s)",
                "length(ls)",
                "octet_length(ls)",
                "strpos(ls, s)",
                "array_length(li)",
                "date_part('year', ts)",
                "EXTRACT(WEEK FROM ts)",
                "coalesce(i, 1)",
                "nullif(i, n)",
                "CAST(b AS BIGINT)",
                "CAST(ts AS BIGINT)")),
        arguments(
            "Float64",
            List.of(
                "f + 1",
                "f + f",
                "n * 0.5",
                "d % i",
                "- f",
                "abs(f)",
                "round(f)",
                "round(n, 1)",
                "floor(f)",
                "ceil(i)",
                "sqrt(f)",
                "date_part('epoch', ts)",
                "coalesce(f, i)",
                "nullif(f, 1)",
                "CAST(i AS DOUBLE)")),
        arguments("Int32", List.of("TRY_CAST(n AS INT)", "i")),
        arguments("Float32", List.of("CAST(d AS FLOAT)", "f")),
        arguments(
            "Timestamp(µs)",
            List.of(
                "date_trunc('week', ts)",
                "to_timestamp_micros(i)",
                "CAST(n AS TIMESTAMP)",
                "coalesce(ts, 5)",
                "nullif(ts, 5)")),
        arguments("Boolean", List.of("coalesce(b, TRUE)", "n > 5", "CAST(n AS BOOLEAN)")));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("terms")
  void yieldsTheTypesThatTheTreeClaims(String type, List<String> terms) throws Exception {
    for (String term : terms) {
      String sql = COMPILER.compile("(" + term + ") IS NULL", SampleTable.SCHEMA).sql();
      String rendered = sql.substring(1, sql.length() - " IS NULL)".length());
      RenderedFilter typed =
          new RenderedFilter("(arrow_typeof(" + rendered + ") <> '" + type + "')", Set.of());
      assertThat(table.keys(typed)).as(rendered).isEmpty();
    }
  }

  static final List<String> names = SampleTable.ODD_NAMES;

  @ParameterizedTest
  @FieldSource("names")
  void findsColumnsOfAnyName(String name) throws Exception {
    String quoted = "\"" + name.replace("\"", "\"\"") + "\"";
    assertThat(table.keys(COMPILER.compile(quoted + " = 3", SampleTable.SCHEMA)))
        .containsExactly("r3");
    assertThat(table.keys(COMPILER.compile("`" + name + "` = 3", SampleTable.SCHEMA)))
        .containsExactly("r3");
  }

  @Test
  void findsKeys() throws Exception {
    RenderedFilter five = KeyFilters.eq(RowKey.of("r5"));
    assertThat(table.keys(five)).containsExactly("r5");
    assertThat(
            table.keys(KeyFilters.in(List.of(RowKey.of("r1"), RowKey.of("雪😀'"), RowKey.of("r2")))))
        .containsExactly("r1", "r2");
    assertThat(table.keys(KeyFilters.after(RowKey.of("r5")))).containsExactly("r6", "r7");
    assertThat(table.keys(KeyFilters.range(RowKey.of("r1"), RowKey.of("r3"))))
        .containsExactly("r2", "r3");
    assertThat(
            table.keys(
                KeyFilters.and(
                    COMPILER.compile("b OR n = 0", SampleTable.SCHEMA),
                    KeyFilters.after(RowKey.of("r2")))))
        .containsExactly("r3", "r5");
  }
}
