package io.contextstore.web.request;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.contextstore.api.error.InvalidRequestException;
import jakarta.json.Json;
import jakarta.json.JsonObject;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class StrictJsonTest {
  private static JsonObject parse(String text) throws IOException {
    return StrictJson.object(new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)));
  }

  @Test
  void readsEveryKindOfValue() throws IOException {
    assertThat(parse(" {\"a\":[1,-2.5e3,true,false,null,\"雪😀\\n\"],\"b\":{},\"c\":[]} \n"))
        .isEqualTo(
            Json.createObjectBuilder()
                .add(
                    "a",
                    Json.createArrayBuilder()
                        .add(1)
                        .add(new BigDecimal("-2.5e3"))
                        .add(true)
                        .add(false)
                        .addNull()
                        .add("雪😀\n"))
                .add("b", Json.createObjectBuilder())
                .add("c", Json.createArrayBuilder())
                .build());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " ",
        "{",
        "}",
        "{\"a\"",
        "{\"a\":",
        "{\"a\":1",
        "{\"a\":1,}",
        "{a:1}",
        "{'a':1}",
        "{\"a\":01}",
        "{\"a\":NaN}",
        "{\"a\":+1}",
        "{\"a\":.5}",
        "{\"a\":tru}",
        "{\"a\":\"\n\"}",
        "{\"a\":\"\\x\"}",
        "{\"a\":[1,]}",
        "{\"a\":[1}",
        "{} x",
        "{}{}",
        "{},",
        "\ufeff{}",
        "{\"a\":1 \"b\":2}",
        "/* */{}"
      })
  void refusesWhatIsNotJson(String text) {
    assertThatThrownBy(() -> parse(text)).isInstanceOf(InvalidRequestException.class);
  }

  @ParameterizedTest
  @ValueSource(strings = {"[]", "null", "1", "\"a\"", "true"})
  void refusesWhatIsNotAnObject(String text) {
    assertThatThrownBy(() -> parse(text))
        .isInstanceOf(InvalidRequestException.class)
        .hasMessageContaining("object");
  }

  @Test
  void namesThePlaceOfAMistake() {
    assertThatThrownBy(() -> parse("{\n \"a\": x}")).hasMessageContaining("line 2");
  }

  @Test
  void refusesAMemberTwice() {
    assertThatThrownBy(() -> parse("{\"a\":{\"b\":1,\"\\u0062\":2}}"))
        .isInstanceOf(InvalidRequestException.class)
        .hasMessageContaining("'b'")
        .hasMessageContaining("twice");
  }

  @Test
  void boundsTheDepth() throws IOException {
    int most = StrictJson.MAX_DEPTH - 1;
    assertThat(parse("{\"a\":" + "[".repeat(most) + "]".repeat(most) + "}")).hasSize(1);
    for (int depth : new int[] {most + 1, 1_000_000}) {
      assertThatThrownBy(() -> parse("{\"a\":" + "[".repeat(depth)))
          .isInstanceOf(InvalidRequestException.class)
          .hasMessageContaining("deeper");
    }
  }

  @Test
  void boundsNumbers() throws IOException {
    assertThat(parse("{\"a\":" + "9".repeat(StrictJson.MAX_NUMBER_LENGTH) + "}")).hasSize(1);
    for (int length : new int[] {StrictJson.MAX_NUMBER_LENGTH + 1, 1_000_000}) {
      assertThatThrownBy(() -> parse("{\"a\":" + "9".repeat(length) + "}"))
          .isInstanceOf(InvalidRequestException.class)
          .hasMessageContaining("number");
    }
  }

  @Test
  void refusesOtherEncodings() {
    byte[] latin1 = "{\"a\":\"é\"}".getBytes(StandardCharsets.ISO_8859_1);
    byte[] utf16 = "{\"a\":1}".getBytes(StandardCharsets.UTF_16);
    for (byte[] body : new byte[][] {latin1, utf16}) {
      assertThatThrownBy(() -> StrictJson.object(new ByteArrayInputStream(body)))
          .isInstanceOf(InvalidRequestException.class)
          .hasMessageContaining("UTF-8");
    }
  }
}
