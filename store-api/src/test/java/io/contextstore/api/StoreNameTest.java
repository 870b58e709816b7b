package io.contextstore.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.contextstore.api.error.InvalidRequestException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StoreNameTest {
  @ParameterizedTest
  @ValueSource(strings = {"a", "_", "_a", "0", "A-b.c_9", "a..b", "a-", "a.", "_registry2"})
  void names(String name) {
    assertThat(new StoreName(name)).hasToString(name);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "", ".", "..", ".a", "-", "-a", "a/b", "a\\b", "a b", "a\n", "\na", "a\0", "é", "雪",
        "a%2Fb", "a:b"
      })
  void notNames(String name) {
    assertThatExceptionOfType(InvalidRequestException.class)
        .isThrownBy(() -> new StoreName(name))
        .withMessage(
            "a store name has 1 to 128 of the characters A-Z a-z 0-9 . _ - and starts with neither"
                + " '.' nor '-'");
  }

  @Test
  void length() {
    assertThat(new StoreName("a".repeat(128)).value()).hasSize(128);
    assertThatExceptionOfType(InvalidRequestException.class)
        .isThrownBy(() -> new StoreName("a".repeat(129)));
  }

  @ParameterizedTest
  @ValueSource(strings = {"_registry", "_stats"})
  void reserved(String name) {
    assertThatExceptionOfType(InvalidRequestException.class)
        .isThrownBy(() -> new StoreName(name))
        .withMessage("the store name '" + name + "' is reserved");
  }
}
