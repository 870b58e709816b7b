package io.contextstore.filter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.contextstore.api.error.InvalidRequestException;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.FutureTask;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Whatever comes in ends soon in a filter or a refusal, on a small stack. */
class HostileTextTest {
  private static final FilterCompiler COMPILER = new FilterCompiler(FilterLimits.DEFAULT);
  private static final int SMALL_STACK = 512 << 10;

  /** Filters far over every limit. */
  static Stream<String> floods() {
    return Stream.of(
        "n = 1" + " OR n = 1".repeat(10_000),
        "n" + " + 1".repeat(10_000) + " = 5",
        "n" + "+1".repeat(2_000) + "=5",
        "(".repeat(10_000) + "b" + ")".repeat(10_000),
        "(".repeat(4_000),
        ")".repeat(4_000),
        "[".repeat(4_000),
        "NOT ".repeat(2_000) + "b",
        "n = " + "- ".repeat(4_000) + "1",
        "n = " + "-".repeat(8_000) + "1",
        "lower(".repeat(1_000) + "s" + ")".repeat(1_000) + " = 'x'",
        "CASE WHEN b THEN ".repeat(400) + "b" + " END".repeat(400),
        "CAST(".repeat(300) + "n" + " AS BIGINT)".repeat(300) + " = 1",
        "n IN (" + "1,".repeat(4_000) + "1)",
        "b AND ".repeat(1_300) + "b",
        "n BETWEEN 1 AND 2 AND ".repeat(300) + "b",
        "'".repeat(8_001),
        "\"".repeat(8_001),
        "'" + "x".repeat(100_000) + "'",
        "n = " + "9".repeat(8_000),
        "d = 1e" + "9".repeat(8_000),
        "x".repeat(8_192),
        "雪".repeat(2_700),
        "\n".repeat(8_192),
        "\0".repeat(8_000),
        "\uD800".repeat(2_000),
        ",".repeat(8_000),
        "(b),".repeat(2_000));
  }

  @ParameterizedTest
  @MethodSource("floods")
  void isRefusedInMilliseconds(String flood) throws Exception {
    onSmallStack(
        () -> {
          assertThatThrownBy(() -> COMPILER.compile(flood, SampleTable.SCHEMA))
              .isInstanceOf(InvalidRequestException.class)
              .message()
              .hasSizeLessThan(1_000);
          long start = System.nanoTime();
          for (int i = 0; i < 10; i++) {
            accepted(flood);
          }
          assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(1));
        });
  }

  @Test
  void allowsExactlyItsLimits() throws Exception {
    onSmallStack(
        () -> {
          assertThat(accepted("(".repeat(32) + "b" + ")".repeat(32))).isTrue();
          assertThat(accepted("(".repeat(33) + "b" + ")".repeat(33))).isFalse();
          assertThat(accepted("b" + " AND b".repeat(64))).isTrue();
          assertThat(accepted("b" + " AND b".repeat(65))).isFalse();
          assertThat(accepted("abs(".repeat(32) + "d" + ")".repeat(32) + " > 0")).isTrue();
          assertThat(accepted("n IN (1" + ",-1".repeat(1023) + ")")).isTrue();
          assertThat(accepted("n IN (1" + ",-1".repeat(1024) + ")")).isFalse();
          assertThat(accepted("s = '" + "x".repeat(8192 - 6) + "'")).isTrue();
          assertThat(accepted("s = '" + "x".repeat(8192 - 5) + "'")).isFalse();
          assertThat(accepted("s = '" + "雪".repeat(2728) + "  '")).isTrue();
          assertThat(accepted("s = '" + "雪".repeat(2729) + "  '")).isFalse();
        });
  }

  @Test
  void allowsOnlyWhatLancesParserCanNest() {
    // Right-leaning nesting costs its parser two levels each.
    assertThat(accepted("(b AND (b OR ".repeat(10) + "b" + "))".repeat(10))).isTrue();
    assertThatThrownBy(
            () ->
                COMPILER.compile(
                    "(b AND (b OR ".repeat(12) + "b" + "))".repeat(12), SampleTable.SCHEMA))
        .hasMessage(
            "filter, line 1, column 152: nested too deeply here; write it with fewer levels");
    assertThat(accepted("NOT ".repeat(21) + "b")).isTrue();
    assertThat(accepted("NOT ".repeat(22) + "b")).isFalse();
    assertThat(accepted("length(CAST(".repeat(13) + "n" + " AS STRING))".repeat(13) + " = 1"))
        .isTrue();
    assertThat(accepted("length(CAST(".repeat(15) + "n" + " AS STRING))".repeat(15) + " = 1"))
        .isFalse();
  }

  @Test
  void takesNoLongerForDeeperNesting() throws Exception {
    onSmallStack(
        () -> {
          long start = System.nanoTime();
          for (String[] wrap :
              new String[][] {
                {"(", " BETWEEN b AND b)"}, {"(", " = b)"}, {"(", " IN (b))"}, {"(", " IS TRUE)"},
                {"NOT (", ")"}, {"coalesce(b, ", ")"}, {"(b OR ", ")"}, {"(", " AND b)"}
              }) {
            for (int depth = 1; depth <= 32; depth++) {
              accepted(wrap[0].repeat(depth) + "b" + wrap[1].repeat(depth));
            }
          }
          assertThat(Duration.ofNanos(System.nanoTime() - start))
              .isLessThan(Duration.ofSeconds(10));
        });
  }

  @ParameterizedTest
  @ValueSource(ints = {-1, 0, 41, Integer.MAX_VALUE})
  void limitsThatCannotWorkAreRefused(int depth) {
    assertThatThrownBy(() -> new FilterLimits(8192, 64, depth, 1024))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("a filter's max-depth must be from 1 to 40, got " + depth);
  }

  @Test
  void looseTokensEndInAnAnswer() throws Exception {
    long seed = seed();
    RandomFilters filters = new RandomFilters(new Random(seed));
    onSmallStack(
        () -> answers(IntStream.range(0, 20_000).mapToObj(i -> filters.tokens()), 0, seed));
  }

  @Test
  void grammaticalFiltersEndInAnAnswer() throws Exception {
    long seed = seed();
    RandomFilters filters = new RandomFilters(new Random(seed));
    onSmallStack(
        () ->
            answers(
                IntStream.range(0, 5_000).mapToObj(i -> filters.condition(1 + i % 8)),
                1_000,
                seed));
  }

  @Test
  void deepestNestingsOfEveryKindEndInAnAnswer() throws Exception {
    List<String[]> wraps =
        Stream.of(
                "(|)",
                "(n + |)",
                "(| + 1.5)",
                "lower(|)",
                "coalesce(s, |)",
                "NOT (|)",
                "- (|)",
                "n IN (|)",
                "n IN (1, |)",
                "CAST(| AS BIGINT)",
                "n BETWEEN (|) AND 2",
                "s LIKE (|)",
                "EXTRACT(YEAR FROM |)",
                "(b AND |)",
                "(| OR b)",
                "(|) IS NULL",
                "n[|]",
                "[| , 2]",
                "(1, |)",
                "(n = |)",
                "(| < 4)",
                "array_has(li, |)",
                "(|) BETWEEN b AND TRUE",
                "b BETWEEN (|) AND (b)",
                "(b = (|))")
            .map(wrap -> wrap.split("\\|"))
            .toList();
    long seed = seed();
    Random random = new Random(seed);
    onSmallStack(
        () ->
            answers(
                IntStream.range(0, 5_000)
                    .mapToObj(
                        i -> {
                          int kinds = 1 + random.nextInt(4);
                          List<String[]> few =
                              random.ints(kinds, 0, wraps.size()).mapToObj(wraps::get).toList();
                          StringBuilder before = new StringBuilder();
                          StringBuilder after = new StringBuilder();
                          for (int depth = random.nextInt(34); depth > 0; depth--) {
                            String[] wrap = few.get(random.nextInt(kinds));
                            before.append(wrap[0]);
                            after.insert(0, wrap[1]);
                          }
                          return before + (random.nextBoolean() ? "b" : "n") + after;
                        }),
                20,
                seed));
  }

  private static void answers(Stream<String> filters, int leastAccepted, long seed) {
    int accepted = 0;
    for (String filter : (Iterable<String>) filters::iterator) {
      long start = System.nanoTime();
      try {
        accepted += accepted(filter) ? 1 : 0;
      } catch (RuntimeException | StackOverflowError e) {
        throw new AssertionError("seed " + seed + ", filter: " + filter, e);
      }
      assertThat(Duration.ofNanos(System.nanoTime() - start))
          .as("seed %d, filter: %s", seed, filter)
          .isLessThan(Duration.ofSeconds(3));
    }
    assertThat(accepted).as("seed %d", seed).isGreaterThanOrEqualTo(leastAccepted);
  }

  private static boolean accepted(String filter) {
    try {
      assertThat(COMPILER.compile(filter, SampleTable.SCHEMA).sql()).isNotEmpty();
      return true;
    } catch (InvalidRequestException e) {
      assertThat(e).hasMessageStartingWith(e.getMessage().contains("too long") ? "the" : "filter,");
      return false;
    }
  }

  private static long seed() {
    long seed = System.nanoTime();
    System.out.println("HostileTextTest seed " + seed);
    return seed;
  }

  private static void onSmallStack(Runnable work) throws Exception {
    FutureTask<Void> task = new FutureTask<>(work, null);
    Thread thread = new Thread(null, task, "small-stack", SMALL_STACK);
    thread.start();
    thread.join();
    task.get();
  }
}
