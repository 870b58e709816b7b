package io.contextstore.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.contextstore.api.error.InvalidRequestException;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RowKeyTest {
  @ParameterizedTest
  @ValueSource(strings = {"a", "a/b", "雪", "😀", " ", "\t\n", "..", "\u0001", "\uffff", "%00"})
  void anyOtherTextIsAKey(String text) {
    RowKey key = RowKey.of(text);
    assertThat(key.text()).isEqualTo(text);
    assertThat(key).hasToString(text);
    assertThat(key.utf8()).isEqualTo(text.getBytes(StandardCharsets.UTF_8));
    assertThat(key).isEqualTo(RowKey.of(text)).hasSameHashCodeAs(RowKey.of(text));
    assertThat(key).isNotEqualTo(RowKey.of(text + "x"));
  }

  @Test
  void lengthIsInBytes() {
    assertThat(RowKey.of("x".repeat(1024)).utf8()).hasSize(1024);
    assertThat(RowKey.of("😀".repeat(256)).utf8()).hasSize(1024);
    refused("", "an id has 1 to 1024 bytes of UTF-8, this one has 0");
    refused("é".repeat(513), "an id has 1 to 1024 bytes of UTF-8, this one has 1026");
    refused("x".repeat(1025), "an id has 1 to 1024 bytes of UTF-8, this one has more");
  }

  @Test
  void charactersThatNoKeyHas() {
    refused("a\0", "an id must not hold the character U+0000");
    refused("\0", "an id must not hold the character U+0000");
    refused("\ud83d", "an id must not hold a lone surrogate");
    refused("\ude00\ud83d", "an id must not hold a lone surrogate");
    refused("a\ude00b", "an id must not hold a lone surrogate");
  }

  @Test
  void theBytesAreACopy() {
    RowKey key = RowKey.of("a");
    key.utf8()[0] = 'b';
    assertThat(key).isEqualTo(RowKey.of("a"));
  }

  private static void refused(String text, String message) {
    assertThatExceptionOfType(InvalidRequestException.class)
        .isThrownBy(() -> RowKey.of(text))
        .withMessage(message);
  }
}
