package io.contextstore.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.contextstore.api.error.StartupException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.eclipse.microprofile.config.Config;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SettingsTest {
  @Test
  void nothingSetGivesWhatTheContractSays() {
    Settings settings = Settings.load(config(Map.of()));

    assertThat(settings.dataDir()).isEqualTo(Path.of("./data"));
    assertThat(settings.flushInterval()).isEqualTo(Duration.ofSeconds(30));
    assertThat(settings.cleanupInterval()).isEqualTo(Duration.ofMinutes(5));
    assertThat(settings.mergeAfterGenerations()).isEqualTo(8);
    assertThat(settings.mergeMaxGenerations()).isEqualTo(8);
    assertThat(settings.mergeMaxBytes()).isEqualTo(1L << 30);
    assertThat(settings.requestDeadline()).isEqualTo(Duration.ofSeconds(60));
    assertThat(settings.shutdownDeadline()).isEqualTo(Duration.ofSeconds(30));
    assertThat(settings.memoryMaxBytes()).isPositive();
    assertThat(settings.filterLimits()).isEqualTo(new Settings.FilterBounds(8192, 64, 32));
    assertThat(settings.indexLimits()).isEqualTo(new Settings.IndexBounds(10_000, 8, 5));
  }

  @ParameterizedTest
  @CsvSource({"5, 5", "5%, 5", "12 %, 12", "0, 0", "100%, 100"})
  void aShareIsAWholePercentage(String text, int percent) {
    Settings settings =
        Settings.load(config(Map.of("contextstore.index.max-unindexed-share", text)));
    assertThat(settings.indexLimits().maxUnindexedPercent()).isEqualTo(percent);
  }

  @ParameterizedTest
  @CsvSource({
    "contextstore.flush.interval, ROLLOUT_FLUSH_INTERVAL_SECS",
    "contextstore.cleanup.interval, ROLLOUT_CLEANUP_INTERVAL_SECS",
    "contextstore.merge.after-generations, ROLLOUT_MERGE_AFTER_GENERATIONS",
    "contextstore.merge.max-generations, ROLLOUT_MERGE_MAX_GENERATIONS",
    "contextstore.merge.max-bytes, ROLLOUT_MERGE_MAX_BYTES"
  })
  void theReferencesVariableCountsWhenOurNameIsNotSet(String name, String alias) {
    Settings standard = Settings.load(config(Map.of()));
    Settings seven = Settings.load(config(Map.of(name, "7")));

    assertThat(seven).isNotEqualTo(standard);
    assertThat(Settings.load(config(Map.of(alias, "7")))).isEqualTo(seven);
    assertThat(Settings.load(config(Map.of(name, "7", alias, "9")))).isEqualTo(seven);
    assertThatThrownBy(() -> Settings.load(config(Map.of(alias, "x"))))
        .isInstanceOf(StartupException.class)
        .hasMessageContaining(alias);
  }

  @ParameterizedTest
  @CsvSource({
    "contextstore.data.dir, '  '",
    "contextstore.index.min-rows, 0",
    "contextstore.index.max-unindexed-fragments, -1",
    "contextstore.index.max-unindexed-share, 101%",
    "contextstore.index.max-unindexed-share, 0.05",
    "contextstore.index.max-unindexed-share, -5%",
    "contextstore.data.dir, s3://bucket/folder",
    "contextstore.data.dir, az://container",
    "contextstore.data.dir, file:relative",
    "contextstore.flush.interval, -1s",
    "contextstore.flush.interval, PT-1S",
    "contextstore.flush.interval, 1d",
    "contextstore.flush.interval, 0.5s",
    "contextstore.flush.interval, PT0.0001S",
    "contextstore.flush.interval, 9223372036854775807",
    "contextstore.flush.interval, 9223372036854775807h",
    "contextstore.flush.interval, 99999999999999999999",
    "contextstore.cleanup.interval, soon",
    "contextstore.merge.after-generations, -1",
    "contextstore.merge.after-generations, 2147483648",
    "contextstore.merge.max-generations, 1.5",
    "contextstore.merge.max-bytes, 0",
    "contextstore.merge.max-bytes, 1TB",
    "contextstore.request.deadline, 0",
    "contextstore.request.deadline, PT0.0001S",
    "contextstore.shutdown.deadline, 0s",
    "contextstore.memory.max-bytes, 8589934592G",
    "contextstore.memory.max-bytes, 9223372036854775807",
    "contextstore.memory.max-bytes, -5",
    "contextstore.filter.max-bytes, 0",
    "contextstore.filter.max-operators, ''' '",
    "contextstore.filter.max-bytes, 65537",
    "contextstore.filter.max-operators, 257",
    "contextstore.filter.max-depth, 41",
    "contextstore.filter.max-depth, x"
  })
  void aValueThatCannotWorkStopsTheStartWithOneLineThatNamesIt(String name, String value) {
    assertThatThrownBy(() -> Settings.load(config(Map.of(name, value))))
        .isInstanceOf(StartupException.class)
        .message()
        .doesNotContain("\n")
        .contains(name, "'" + value.strip() + "'", "allowed is");
  }

  @Test
  void aValueWithLinesOfItsOwnStillGivesOneShortLine() {
    assertThatThrownBy(
            () ->
                Settings.load(
                    config(
                        Map.of("contextstore.flush.interval", "a\r\nb\u2028" + "c".repeat(5000)))))
        .message()
        .matches(message -> message.lines().count() == 1)
        .doesNotContain("\u2028")
        .contains("a b c")
        .hasSizeLessThan(500);
  }

  @ParameterizedTest
  @CsvSource({"250ms, PT0.25S", "30s, PT30S", "5m, PT5M", "2 h, PT2H", "17, PT17S", "pt1m, PT1M"})
  void intervalsAreReadInEveryFormThatIsPromised(String text, Duration expected) {
    assertThat(load("contextstore.flush.interval", text, Settings::flushInterval))
        .isEqualTo(expected);
    assertThat(load("contextstore.request.deadline", text, Settings::requestDeadline))
        .isEqualTo(expected);
  }

  @ParameterizedTest
  @ValueSource(strings = {"0", "0s", "PT0S"})
  void anIntervalOfZeroIsNever(String text) {
    assertThat(load("contextstore.flush.interval", text, Settings::flushInterval)).isZero();
  }

  @ParameterizedTest
  @CsvSource({
    "1, 1",
    "1000b, 1000",
    "2K, 2048",
    "3 KiB, 3072",
    "4m, 4194304",
    "5MiB, 5242880",
    "6GiB, 6442450944",
    "7g, 7516192768"
  })
  void sizesAreReadWithBinaryUnits(String text, long expected) {
    assertThat(load("contextstore.memory.max-bytes", text, Settings::memoryMaxBytes))
        .isEqualTo(expected);
    assertThat(load("contextstore.merge.max-bytes", text, Settings::mergeMaxBytes))
        .isEqualTo(expected);
  }

  @Test
  void theDataFolderMayBeAPathOrAFileUri() {
    assertThat(load("contextstore.data.dir", "/var/x", Settings::dataDir))
        .isEqualTo(Path.of("/var/x"));
    assertThat(load("contextstore.data.dir", "file:///var/a%20b", Settings::dataDir))
        .isEqualTo(Path.of("/var/a b"));
    assertThat(load("contextstore.data.dir", "a:b", Settings::dataDir)).isEqualTo(Path.of("a:b"));
  }

  private static <T> T load(String name, String value, Function<Settings, T> part) {
    return part.apply(Settings.load(config(Map.of(name, value))));
  }

  private static Config config(Map<String, String> values) {
    Map<String, String> all = new HashMap<>(values);
    return (Config)
        Proxy.newProxyInstance(
            SettingsTest.class.getClassLoader(),
            new Class<?>[] {Config.class},
            (proxy, method, arguments) -> {
              if (!method.getName().equals("getOptionalValue")) {
                throw new UnsupportedOperationException(method.getName());
              }
              return Optional.ofNullable(all.get((String) arguments[0]));
            });
  }
}
