package io.contextstore.codec;

import static io.contextstore.codec.CodecFixture.EVERY_TYPE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.arrow.vector.Float4Vector;
import org.apache.arrow.vector.Float8Vector;
import org.apache.arrow.vector.VarCharVector;
import org.apache.arrow.vector.complex.FixedSizeListVector;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Values that the contract takes, and what they come back as. */
class RowParserValuesTest {
  private final CodecFixture codec = new CodecFixture();

  @AfterEach
  void nothingLeaks() {
    codec.close();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "text       | \"\"",
        "text       | \"plain\"",
        "text       | \"\\u0000\\u0001\\t\\n\\\"\\\\\"",
        "text       | \"é雪𐀀😀􏿽\"",
        "large      | \"\"",
        "large      | \"é雪😀\"",
        "int32      | -2147483648",
        "int32      | 2147483647",
        "int32      | 0",
        "int64      | -9223372036854775808",
        "int64      | 9223372036854775807",
        "int64      | 9007199254740993",
        "float32    | 0.1",
        "float32    | 1.4E-45",
        "float32    | 3.4028235E38",
        "float32    | -3.4028235E38",
        "float32    | -0.0",
        "float64    | 0.1",
        "float64    | 4.9E-324",
        "float64    | 2.2250738585072014E-308",
        "float64    | 1.7976931348623157E308",
        "float64    | -0.0",
        "bool       | true",
        "bool       | false",
        "timestamp  | 0",
        "timestamp  | -62135596800000001",
        "timestamp  | 9223372036854775807",
        "binary     | \"\"",
        "binary     | \"AA==\"",
        "binary     | \"+/8=\"",
        "binary     | \"+/+/\"",
        "blob       | \"AAECAw==\"",
        "vector     | [1.0,-0.0,0.1]",
        "texts      | []",
        "texts      | [null]",
        "texts      | [\"a\",null,\"\",\"😀\"]",
        "int32s     | [1,null,-2147483648]",
        "int64s     | [null,9223372036854775807,null]",
        "float32s   | [0.1,null,1.4E-45]",
        "float64s   | [0.1,null,4.9E-324]",
        "bools      | [true,null,false]",
        "timestamps | [-1,null,1]",
        "binaries   | [\"AA==\",null,\"\"]",
      })
  void comesBackAsItWas(String column, String value) {
    assertThat(codec.roundTrip(EVERY_TYPE, column, value)).isEqualTo("\"" + column + "\":" + value);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "float32    | 1                                 | 1.0",
        "float32    | -0                                | 0.0",
        "float32    | 1e-50                             | 0.0",
        "float32    | 16777217                          | 1.6777216E7",
        "float32    | 1e38                              | 1.0E38",
        "float64    | 1                                 | 1.0",
        "float64    | 9007199254740993                  | 9.007199254740992E15",
        "float64    | 123456789012345678901234567890    | 1.2345678901234568E29",
        "float64    | 1e-400                            | 0.0",
        "float64    | 1E3                               | 1000.0",
        "int32      | -0                                | 0",
        "int64      | -0                                | 0",
        "binary     | \"AA\"                            | \"AA==\"",
        "binary     | \"AAE\"                           | \"AAE=\"",
        "binary     | \"\\u0041A==\"                    | \"AA==\"",
        "binary     | \"\\/\\/8=\"                      | \"//8=\"",
        "binary     | [0,255,7]                         | \"AP8H\"",
        "binary     | []                                | \"\"",
        "binaries   | [[0],null,\"AA\"]                 | [\"AA==\",null,\"AA==\"]",
        "timestamp  | \"1970-01-01T00:00:00Z\"          | 0",
        "timestamp  | \"1969-12-31T23:59:59.999999Z\"   | -1",
        "timestamp  | \"2026-12-01T10:30:00.5+01:00\"   | 1796117400500000",
        "timestamps | [\"1970-01-01T00:00:00.000001Z\"] | [1]",
        "vector     | [1,2,3e0]                         | [1.0,2.0,3.0]",
        "text       | \"\\ud83d\\ude00\"                | \"😀\"",
        "text       | \"\\/\\u0020\"                    | \"/ \"",
      })
  void comesBackInOneForm(String column, String in, String out) {
    assertThat(codec.roundTrip(EVERY_TYPE, column, in)).isEqualTo("\"" + column + "\":" + out);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "text",
        "large",
        "int32",
        "int64",
        "float32",
        "float64",
        "bool",
        "timestamp",
        "binary",
        "blob",
        "vector",
        "texts",
        "float32s",
        "binaries"
      })
  void nullAndMissingAreTheSame(String column) {
    String rows = "{\"rows\":[{\"id\":\"a\",\"%s\":null},{\"id\":\"b\"}]}".formatted(column);
    try (RowBatch batch = codec.parse(EVERY_TYPE, rows)) {
      assertThat(batch.root().getVector(column).getNullCount()).isEqualTo(2);
      assertThat(CodecFixture.write(EVERY_TYPE, batch))
          .isEqualTo("{\"rows\":[{\"id\":\"a\"},{\"id\":\"b\"}]}");
    }
  }

  @Test
  void zeroRows() {
    try (RowBatch batch = codec.parse(EVERY_TYPE, "{\"rows\":[]}")) {
      assertThat(batch.rowCount()).isZero();
      assertThat(batch.root().getSchema()).isEqualTo(new RowParser(EVERY_TYPE).schema());
      assertThat(CodecFixture.write(EVERY_TYPE, batch)).isEqualTo("{\"rows\":[]}");
    }
  }

  @Test
  void textOfEveryPlaneAndManyMegabytes() {
    StringBuilder text = new StringBuilder();
    for (int point = 1; point <= Character.MAX_CODE_POINT; point++) {
      if (point < Character.MIN_SURROGATE || point > Character.MAX_SURROGATE) {
        text.appendCodePoint(point);
      }
    }
    byte[] utf8 = text.toString().getBytes(StandardCharsets.UTF_8);
    assertThat(utf8).hasSizeGreaterThan(4 << 20);
    String escaped = text.toString().replace("\\", "\\\\").replace("\"", "\\\"");
    for (int control = 1; control < 0x20; control++) {
      escaped = escaped.replace(Character.toString(control), "\\u%04x".formatted(control));
    }
    // Shifted by one each time, so that pairs come to lie across the edges of pieces.
    for (String lead : new String[] {"", "x", "xy"}) {
      String json = "{\"rows\":[{\"id\":\"k\",\"text\":\"" + lead + escaped + "\"}]}";
      try (RowBatch batch = codec.parse(EVERY_TYPE, json)) {
        VarCharVector vector = (VarCharVector) batch.root().getVector("text");
        assertThat(new String(vector.get(0), StandardCharsets.UTF_8)).isEqualTo(lead + text);
        String written = CodecFixture.write(EVERY_TYPE, batch, "id", "text");
        try (RowBatch again = codec.parse(EVERY_TYPE, written)) {
          vector = (VarCharVector) again.root().getVector("text");
          assertThat(new String(vector.get(0), StandardCharsets.UTF_8)).isEqualTo(lead + text);
        }
      }
    }
  }

  @Test
  void supplementaryTextOfManyPieces() {
    String emoji = "😀".repeat(100_000);
    for (String lead : new String[] {"", "x"}) {
      assertThat(codec.roundTrip(EVERY_TYPE, "text", "\"" + lead + emoji + "\""))
          .isEqualTo("\"text\":\"" + lead + emoji + "\"");
      String escaped = "\\ud83d\\ude00".repeat(100_000);
      assertThat(codec.roundTrip(EVERY_TYPE, "text", "\"" + lead + escaped + "\""))
          .isEqualTo("\"text\":\"" + lead + emoji + "\"");
    }
  }

  @Test
  void binaryOfManyMegabytes() {
    byte[] bytes = new byte[2_500_001];
    new Random(7).nextBytes(bytes);
    String base64 = "\"" + Base64.getEncoder().encodeToString(bytes) + "\"";
    assertThat(codec.roundTrip(EVERY_TYPE, "binary", base64)).isEqualTo("\"binary\":" + base64);
  }

  @Test
  void numbersAreRoundedOnce() {
    long seed = System.nanoTime();
    System.out.println("RowParserValuesTest: seed " + seed);
    Random random = new Random(seed);
    List<String> numbers = Stream.generate(() -> number(random)).limit(20_000).toList();
    String rows =
        numbers.stream()
            .map(
                "{\"id\":\"k\",\"float32\":%1$s,\"float64\":%1$s,\"vector\":[0,0,%1$s]}"::formatted)
            .collect(Collectors.joining(",", "{\"rows\":[", "]}"));
    try (RowBatch batch = codec.parse(EVERY_TYPE, rows)) {
      Float4Vector single = (Float4Vector) batch.root().getVector("float32");
      Float8Vector wide = (Float8Vector) batch.root().getVector("float64");
      FixedSizeListVector vectors = (FixedSizeListVector) batch.root().getVector("vector");
      Float4Vector items = (Float4Vector) vectors.getDataVector();
      for (int i = 0; i < numbers.size(); i++) {
        BigDecimal exact = new BigDecimal(numbers.get(i));
        if (single.get(i) != exact.floatValue()
            || wide.get(i) != exact.doubleValue()
            || items.get(3 * i + 2) != exact.floatValue()) {
          fail(
              "%s came out as %s, %s, %s", exact, single.get(i), wide.get(i), items.get(3 * i + 2));
        }
      }
    }
  }

  /**
   * Long and short, whole and broken, and next to the middle of two floats: as a double that is the
   * middle itself, and a second rounding from there goes the wrong way.
   */
  private static String number(Random random) {
    return switch (random.nextInt(5)) {
      case 0 -> Long.toString(random.nextLong());
      case 1 -> new BigDecimal(Math.abs(random.nextFloat()) * 1e10).toPlainString();
      case 2 -> {
        float low = random.nextFloat(1, 1000);
        BigDecimal middle =
            new BigDecimal(low).add(new BigDecimal(Math.nextUp(low))).divide(BigDecimal.TWO);
        BigDecimal little = BigDecimal.ONE.movePointLeft(40);
        yield (random.nextBoolean() ? middle.add(little) : middle.subtract(little)).toString();
      }
      case 3 -> random.nextLong(1L << 53, Long.MAX_VALUE) + "." + random.nextInt(1000);
      default -> random.nextInt() + "e" + random.nextInt(-60, 28);
    };
  }

  @Test
  void columnsInAnyOrderAndAnyMixOfNulls() {
    String rows =
        """
        {"rows":[{"int32":1,"id":"a","text":"x"},
                 {"text":"y","id":"b"},
                 {"id":"c","int32":3},
                 {"id":"a","text":null,"int32":4}]}
        """;
    try (RowBatch batch = codec.parse(EVERY_TYPE, rows)) {
      assertThat(CodecFixture.write(EVERY_TYPE, batch))
          .isEqualTo(
              "{\"rows\":[{\"id\":\"a\",\"text\":\"x\",\"int32\":1},{\"id\":\"b\",\"text\":\"y\"},"
                  + "{\"id\":\"c\",\"int32\":3},{\"id\":\"a\",\"int32\":4}]}");
    }
  }

  /** Bitmaps are gathered in words of 64: every count around the edges, every place of the null. */
  @Test
  void nullsAtEveryPlace() {
    for (int rows : new int[] {1, 63, 64, 65, 127, 128, 129}) {
      for (int hole = 0; hole < rows; hole++) {
        StringBuilder in = new StringBuilder("{\"rows\":[");
        for (int i = 0; i < rows; i++) {
          in.append(i == 0 ? "" : ",").append("{\"id\":\"").append(i);
          in.append(i == hole ? "\"}" : "\",\"int32\":" + i + ",\"bool\":" + (i % 3 == 0) + "}");
        }
        String json = in.append("]}").toString();
        try (RowBatch batch = codec.parse(EVERY_TYPE, json)) {
          assertThat(CodecFixture.write(EVERY_TYPE, batch)).isEqualTo(json);
          assertThat(batch.root().getVector("int32").getNullCount()).isEqualTo(1);
        }
      }
    }
  }

  @Test
  void aSingleRowIsSmall() {
    try (RowBatch batch = codec.parse(EVERY_TYPE, "{\"rows\":[{\"id\":\"k\",\"text\":\"x\"}]}")) {
      assertThat(batch.bytes()).isLessThanOrEqualTo(1024);
      assertThat(codec.allocator.getAllocatedMemory()).isLessThanOrEqualTo(1024);
    }
  }
}
