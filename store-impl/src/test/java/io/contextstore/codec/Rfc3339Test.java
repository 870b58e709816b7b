package io.contextstore.codec;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class Rfc3339Test {
  @ParameterizedTest
  @CsvSource({
    "1970-01-01T00:00:00Z, 0",
    "1970-01-01t00:00:00z, 0",
    "1970-01-01 00:00:00Z, 0",
    "1970-01-01T00:00:00+00:00, 0",
    "1970-01-01T00:00:00-00:00, 0",
    "1970-01-01T01:00:00+01:00, 0",
    "1969-12-31T18:30:00-05:30, 0",
    "1970-01-01T23:59:00+23:59, 0",
    "1970-01-01T00:00:00.1Z, 100000",
    "1970-01-01T00:00:00.000001Z, 1",
    "1970-01-01T00:00:00.0000019Z, 1",
    "1970-01-01T00:00:00.123456789+00:00, 123456",
    "1969-12-31T23:59:59.9999999Z, -1",
    "1969-12-31T23:59:59.999999Z, -1",
    "1969-12-31T23:59:59Z, -1000000",
    "0000-01-01T00:00:00Z, -62167219200000000",
    "9999-12-31T23:59:59.999999Z, 253402300799999999",
    "2000-02-29T00:00:00Z, 951782400000000",
    "2016-12-31T23:59:60Z, 1483228800000000",
    "2016-12-31T15:59:60.5-08:00, 1483228800500000",
  })
  void micros(String text, long micros) {
    assertThat(Rfc3339.micros(text)).isEqualTo(micros);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "1970-01-01",
        "1970-01-01T00:00:00",
        "1970-01-01T00:00:00.Z",
        "1970-01-01T00:00:00.5",
        "1970-01-01T00:00:00,5Z",
        "1970-01-01T00:00Z+0000",
        "1970-01-01T00:00:00+0000",
        "1970-01-01T00:00:00+00",
        "1970-01-01T00:00:00+24:00",
        "1970-01-01T00:00:00+00:60",
        "1970-01-01T00:00:00 Z",
        "1970-01-01T00:00:00ZZ",
        " 1970-01-01T00:00:00Z",
        "1970-01-01T00:00:00Z ",
        "1970-00-01T00:00:00Z",
        "1970-13-01T00:00:00Z",
        "1970-01-00T00:00:00Z",
        "1970-01-32T00:00:00Z",
        "1970-04-31T00:00:00Z",
        "2001-02-29T00:00:00Z",
        "1900-02-29T00:00:00Z",
        "1970-01-01T24:00:00Z",
        "1970-01-01T00:60:00Z",
        "1970-01-01T00:00:61Z",
        "1970-01-01T00:00:60Z",
        "2016-12-31T23:59:60+01:00",
        "1970/01/01T00:00:00Z",
        "1970-01-01_00:00:00Z",
        "-970-01-01T00:00:00Z",
        "+1970-01-01T00:00:00Z",
        "1970-01-01T00:00:00[UTC]",
        "1970-01-01T00:00:00\u00b1" + "00:00",
        "\u0661\u0669\u0667\u0660-01-01T00:00:00Z",
        "1970-01-01T00:00:00.000000000000000000000000000000000000000000000000000000Z",
      })
  void invalid(String text) {
    assertThat(Rfc3339.micros(text)).isEqualTo(Rfc3339.INVALID);
  }

  @Test
  void agreesWithTheJdk() {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    for (int i = 0; i < 100_000; i++) {
      OffsetDateTime time =
          Instant.ofEpochSecond(random.nextLong(-62167132800L, 253402214400L))
              .plusNanos(random.nextInt(1_000_000_000))
              .atOffset(ZoneOffset.ofTotalSeconds(60 * random.nextInt(-1080, 1081)));
      String text = DateTimeFormatter.ISO_OFFSET_DATE_TIME.format(time);
      assertThat(Rfc3339.micros(text))
          .as("%s, seed %d", text, seed)
          .isEqualTo(ChronoUnit.MICROS.between(Instant.EPOCH, floor(time.toInstant())));
    }
  }

  private static Instant floor(Instant instant) {
    return instant.truncatedTo(ChronoUnit.MICROS);
  }
}
