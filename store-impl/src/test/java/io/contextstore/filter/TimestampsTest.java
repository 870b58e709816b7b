package io.contextstore.filter;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TimestampsTest {
  @ParameterizedTest
  @CsvSource({
    "1970-01-01T00:00:00Z, 0",
    "1970-01-01t00:00:00.000001z, 1",
    "1969-12-31 23:59:59.999999Z, -1",
    "1970-01-01T00:00:00.0000019Z, 1",
    "1969-12-31T23:59:59.9999999Z, -1",
    "1970-01-01T01:00:00+01:00, 0",
    "1969-12-31T19:00:00-05:00, 0",
    "1970-01-01T23:59:00+23:59, 0",
    "0000-01-01T00:00:00Z, -62167219200000000",
    "9999-12-31T23:59:59.999999Z, 253402300799999999",
    "2024-02-29T12:00:00.5Z, 1709208000500000"
  })
  void reads(String text, long micros) {
    assertThat(Timestamps.micros(text)).hasValue(micros);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "x",
        "2026-01-31",
        "2026-01-31T12:00:00",
        "2026-01-31T12:00Z",
        "2026-02-29T00:00:00Z",
        "2026-13-01T00:00:00Z",
        "2026-01-31T24:00:00Z",
        "2026-01-31T12:00:60Z",
        "2026-01-31T12:00:00+24:00",
        "2026-01-31T12:00:00+01",
        "2026-01-31T12:00:00.Z",
        "+2026-01-31T12:00:00Z",
        "２０２６-01-31T12:00:00Z",
        " 2026-01-31T12:00:00Z"
      })
  void refuses(String text) {
    assertThat(Timestamps.micros(text)).isEmpty();
  }

  @Test
  void agreesWithJava() {
    long seed = System.nanoTime();
    System.out.println("TimestampsTest seed " + seed);
    Random random = new Random(seed);
    for (int i = 0; i < 2_000; i++) {
      Instant instant =
          Instant.EPOCH
              .plus(random.nextLong(-2_000_000_000L, 4_000_000_000L), ChronoUnit.SECONDS)
              .plus(random.nextInt(1_000_000), ChronoUnit.MICROS);
      OffsetDateTime moved =
          instant.atOffset(ZoneOffset.ofTotalSeconds(60 * random.nextInt(-1080, 1081)));
      if (moved.getSecond() != 0) {
        assertThat(Timestamps.micros(moved.toString()))
            .as("seed %d, %s", seed, moved)
            .hasValue(ChronoUnit.MICROS.between(Instant.EPOCH, instant));
      }
    }
  }
}
