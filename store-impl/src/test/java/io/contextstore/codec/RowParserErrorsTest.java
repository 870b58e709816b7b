package io.contextstore.codec;

import static io.contextstore.codec.CodecFixture.EVERY_TYPE;
import static io.contextstore.codec.CodecFixture.column;
import static io.contextstore.codec.CodecFixture.schema;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.contextstore.api.error.InvalidRequestException;
import io.contextstore.api.schema.Column;
import io.contextstore.api.schema.ColumnType;
import io.contextstore.api.schema.StoreSchema;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is refused, and in which words. */
class RowParserErrorsTest {
  private static final StoreSchema REQUIRED =
      schema(
          new Column("n", new ColumnType.Int32(), false), column("s", new ColumnType.Text(false)));

  private final CodecFixture codec = new CodecFixture();

  @AfterEach
  void nothingLeaks() {
    codec.close();
  }

  private void refused(StoreSchema schema, String json, String message) {
    assertThatExceptionOfType(InvalidRequestException.class)
        .isThrownBy(() -> codec.parse(schema, json).close())
        .withMessage(message);
  }

  /** The value stands in row 2, behind two good ones. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "text       | 7                    | expects a string, got 7",
        "text       | true                 | expects a string, got true",
        "text       | []                   | expects a string, got an array",
        "text       | {}                   | expects a string, got an object",
        "text       | \"\\ud800\"          | : the text holds a lone surrogate",
        "text       | \"\\udc00\"          | : the text holds a lone surrogate",
        "text       | \"a\\ud800b\"        | : the text holds a lone surrogate",
        "text       | \"\\ude00\\ud83d\"   | : the text holds a lone surrogate",
        "large      | \"\\ud800\\ud800\"   | : the text holds a lone surrogate",
        "int32      | \"x\"                | expects an integer, got \"x\"",
        "int32      | 1.0                  | expects an integer, got 1.0",
        "int32      | 1e3                  | expects an integer, got 1e3",
        "int32      | true                 | expects an integer, got true",
        "int32      | 2147483648           | expects an integer from -2147483648 to 2147483647, got 2147483648",
        "int32      | -2147483649          | expects an integer from -2147483648 to 2147483647, got -2147483649",
        "int64      | 9223372036854775808  | expects an integer from -9223372036854775808 to 9223372036854775807, got 9223372036854775808",
        "int64      | -9223372036854775809 | expects an integer from -9223372036854775808 to 9223372036854775807, got -9223372036854775809",
        "int64      | 1.5                  | expects an integer, got 1.5",
        "float32    | \"1\"                | expects a number, got \"1\"",
        "float32    | 1e39                 | expects a number within the range of float32, got 1e39",
        "float32    | -1e39                | expects a number within the range of float32, got -1e39",
        "float32    | 1000000000000000000000000000000000000000 | expects a number within the range of float32, got 1000000000000000000000000000000000000000",
        "float64    | 1e400                | expects a number within the range of float64, got 1e400",
        "float64    | false                | expects a number, got false",
        "bool       | 1                    | expects true or false, got 1",
        "bool       | \"true\"             | expects true or false, got \"true\"",
        "timestamp  | 1.5                  | expects integer microseconds or an RFC 3339 text, got 1.5",
        "timestamp  | \"yesterday\"        | expects integer microseconds or an RFC 3339 text, got \"yesterday\"",
        "timestamp  | 9223372036854775808  | expects integer microseconds or an RFC 3339 text from -9223372036854775808 to 9223372036854775807, got 9223372036854775808",
        "binary     | 7                    | expects base64 text or an array of integers from 0 to 255, got 7",
        "binary     | \"A\"                | : the text is not base64 of the standard alphabet",
        "binary     | \"AA=\"              | : the text is not base64 of the standard alphabet",
        "binary     | \"AA==A\"            | : the text is not base64 of the standard alphabet",
        "binary     | \"-_8=\"             | : the text is not base64 of the standard alphabet",
        "binary     | \"é\"                | : the text is not base64 of the standard alphabet",
        "binary     | [256]                | , item 0, expects an integer from 0 to 255, got 256",
        "binary     | [0,-1]               | , item 1, expects an integer from 0 to 255, got -1",
        "binary     | [null]               | , item 0, expects an integer, got null",
        "binary     | [[0]]                | , item 0, expects an integer, got an array",
        "vector     | 1                    | expects an array of exactly 3 numbers, got 1",
        "vector     | []                   | expects an array of exactly 3 numbers, got 0",
        "vector     | [1,2]                | expects an array of exactly 3 numbers, got 2",
        "vector     | [1,2,3,4]            | expects an array of exactly 3 numbers, got more",
        "vector     | [1,null,3]           | , item 1, expects a number, got null",
        "vector     | [1,2,\"x\"]          | , item 2, expects a number, got \"x\"",
        "vector     | [1,2,1e39]           | , item 2, expects a number within the range of float32, got 1e39",
        "texts      | \"a\"                | expects an array, got \"a\"",
        "texts      | [\"a\",null,7]       | , item 2, expects a string, got 7",
        "texts      | [[\"a\"]]            | , item 0, expects a string, got an array",
        "int32s     | [1,2147483648]       | , item 1, expects an integer from -2147483648 to 2147483647, got 2147483648",
        "binaries   | [\"AA\",\"*\"]       | , item 1: the text is not base64 of the standard alphabet",
        "nope       | 1                    | : the store has no such column",
        "Text       | \"x\"                | : the store has no such column",
      })
  void value(String column, String value, String problem) {
    String gap = problem.startsWith(":") || problem.startsWith(",") ? "" : " ";
    refused(
        EVERY_TYPE,
        """
        {"rows":[{"id":"a","text":"x","int32":1,"vector":[1,2,3]},{"id":"b"},{"id":"c","%s":%s}]}
        """
            .formatted(column, value),
        "row 2: column '" + column + "'" + gap + problem);
  }

  /** Long texts are taken in pieces; a half at any edge is still a half. */
  @Test
  void loneSurrogatesInLongTexts() {
    String message = "row 0: column 'text': the text holds a lone surrogate";
    for (int length : new int[] {8191, 8192, 8193, 65_535, 65_536, 200_000}) {
      String lead = "{\"rows\":[{\"id\":\"a\",\"text\":\"" + "x".repeat(length);
      refused(EVERY_TYPE, lead + "\\ud800\"}]}", message);
      refused(EVERY_TYPE, lead + "\\udc00\"}]}", message);
      refused(EVERY_TYPE, lead + "\\ud800" + "x".repeat(9000) + "\"}]}", message);
    }
  }

  @Test
  void valuesInMessagesAreCut() {
    refused(
        EVERY_TYPE,
        "{\"rows\":[{\"id\":\"a\",\"int32\":\"" + "x".repeat(100_000) + "\"}]}",
        "row 0: column 'int32' expects an integer, got \"" + "x".repeat(40) + "…\"");
    refused(
        EVERY_TYPE,
        "{\"rows\":[{\"id\":\"a\",\"int32\":\"" + "x".repeat(39) + "😀😀\"}]}",
        "row 0: column 'int32' expects an integer, got \"" + "x".repeat(39) + "…\"");
    refused(
        EVERY_TYPE,
        "{\"rows\":[{\"id\":\"a\",\"" + "n".repeat(4000) + "\":1}]}",
        "row 0: column '" + "n".repeat(40) + "…': the store has no such column");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{\"n\":1}                        | row 0: column 'id': missing, but the column is not nullable",
        "{\"id\":\"a\"}                   | row 0: column 'n': missing, but the column is not nullable",
        "{\"id\":\"a\",\"n\":null}        | row 0: column 'n': null, but the column is not nullable",
        "{\"id\":null,\"n\":1}            | row 0: column 'id': null, but the column is not nullable",
        "{\"id\":\"a\",\"n\":1,\"n\":1}   | row 0: column 'n': the row gives it twice",
        "{\"id\":\"a\",\"n\":1,\"s\":null,\"s\":\"x\"} | row 0: column 's': the row gives it twice",
        "{\"id\":7,\"n\":1}               | row 0: column 'id' expects a string, got 7",
        "{\"id\":\"\",\"n\":1}            | row 0: column 'id': an id has 1 to 1024 bytes of UTF-8, this one has 0",
        "{\"id\":\"a\\u0000\",\"n\":1}    | row 0: column 'id': an id must not hold the character U+0000",
        "{\"id\":\"\\ud800\",\"n\":1}     | row 0: column 'id': the text holds a lone surrogate",
        "[]                               | row 0: expects an object, got an array",
        "null                             | row 0: expects an object, got null",
        "{\"id\":\"a\",\"n\":1},7         | row 1: expects an object, got 7",
      })
  void row(String rows, String message) {
    refused(REQUIRED, "{\"rows\":[" + rows + "]}", message);
  }

  @Test
  void idsAreMeasuredInBytes() {
    String rule = "row 0: column 'id': an id has 1 to 1024 bytes of UTF-8, this one has ";
    codec.parse(REQUIRED, withId("x".repeat(1024))).close();
    codec.parse(REQUIRED, withId("😀".repeat(256))).close();
    refused(REQUIRED, withId("x".repeat(1025)), rule + "more");
    refused(REQUIRED, withId("é".repeat(513)), rule + "1026");
    refused(REQUIRED, withId("x".repeat(1_000_000)), rule + "more");
  }

  private static String withId(String id) {
    return "{\"rows\":[{\"n\":1,\"id\":\"" + id + "\"}]}";
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "``                                | the body is empty",
        "` \n `                            | the body is empty",
        "[]                                | the body is an object with the member \"rows\", got an array",
        "\"rows\"                          | the body is an object with the member \"rows\", got \"rows\"",
        "{}                                | the request has no \"rows\"",
        "{\"rows\":null}                   | \"rows\" is an array of rows, got null",
        "{\"rows\":{}}                     | \"rows\" is an array of rows, got an object",
        "{\"rows\":[],\"rows\":[]}         | the request has \"rows\" twice",
        "{\"rows\":[],\"if_absent\":true}  | unknown member 'if_absent' in the request; it has \"rows\" only",
        "{\"row\":[]}                      | unknown member 'row' in the request; it has \"rows\" only",
        "{\"rows\":[]} {}                  | there is more in the body after the request object",
        "{\"rows\":[]}]                    | the body is not valid JSON, at line 1, column 12",
        "{\"rows\":[}                      | the body is not valid JSON, at line 1, column 10",
        "{\"rows\":[{\"id\":\"a\",}]}      | the body is not valid JSON, at line 1, column 20",
        "{\"rows\":[{\"id\":NaN}]}         | the body is not valid JSON, at line 1, column 19",
        "{\"rows\":[{\"n\":01}]}           | the body is not valid JSON, at line 1, column 16",
        "{\"rows\":[{\"n\":+1}]}           | the body is not valid JSON, at line 1, column 16",
        "{\"rows\":[{'n':1}]}              | the body is not valid JSON, at line 1, column 11",
        "{\"rows\":[],}                    | the body is not valid JSON, at line 1, column 12",
        "{\"rows\":[{\"id\":\"a             | the body ends in the middle of its JSON text, at line 1, column 18",
        "{\"rows\":[                       | the body ends in the middle of its JSON text, at line 1, column 10",
        "{\"rows\":[{\"id\":\"a\\q\"}]}    | the body is not valid JSON, at line 1, column 19",
      })
  void body(String json, String message) {
    refused(REQUIRED, json, message);
  }

  @Test
  void aNumberOfHundredsOfDigits() {
    assertThatExceptionOfType(InvalidRequestException.class)
        .isThrownBy(
            () ->
                codec.parse(
                    EVERY_TYPE,
                    "{\"rows\":[{\"id\":\"a\",\"float64\":0." + "1".repeat(200) + "}]}"))
        .withMessageStartingWith("a number, name or text of the body is too long (at most 100,");
  }

  @Test
  void aHugeNameAndADeepValue() {
    assertThatExceptionOfType(InvalidRequestException.class)
        .isThrownBy(
            () -> codec.parse(EVERY_TYPE, "{\"rows\":[{\"" + "n".repeat(1 << 20) + "\":1}]}"));
    assertThatExceptionOfType(InvalidRequestException.class)
        .isThrownBy(
            () -> codec.parse(EVERY_TYPE, "{\"rows\":[{\"id\":" + "[".repeat(1_000_000) + "}]}"))
        .withMessage("row 0: column 'id' expects a string, got an array");
  }

  @Test
  void messagesHaveNoneOfTheParsersWords() {
    for (String json :
        new String[] {
          "{\"rows\":[{\"id\":\"\u0001\"}]}", "{\"rows\":[tru]}", "nul", "{\"rows\"}"
        }) {
      Throwable refused = catchThrowable(() -> codec.parse(REQUIRED, json));
      assertThat(refused).isInstanceOf(InvalidRequestException.class);
      assertThat(refused.getMessage())
          .matches("the body (is not valid JSON|ends in .*), at line \\d+, column \\d+");
    }
  }

  @Test
  void otherEncodings() {
    String json = "{\"rows\":[]}";
    for (byte[] body :
        new byte[][] {
          json.getBytes(StandardCharsets.UTF_16),
          json.getBytes(StandardCharsets.UTF_16LE),
          "{\"rows\":[{\"id\":\"é\"}]}".getBytes(StandardCharsets.ISO_8859_1)
        }) {
      assertThatExceptionOfType(InvalidRequestException.class)
          .isThrownBy(() -> codec.parse(EVERY_TYPE, body));
    }
  }
}
