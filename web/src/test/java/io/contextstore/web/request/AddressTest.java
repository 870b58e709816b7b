package io.contextstore.web.request;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.contextstore.api.error.InvalidRequestException;
import io.contextstore.api.error.NotFoundException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class AddressTest {
  private static final String ROWS = "/api/v1/generic/s/rows";

  @ParameterizedTest
  @ValueSource(
      strings = {
        "a",
        "a%2Fb",
        "a%2fb",
        "%E9%9B%AA",
        "%F0%9F%98%80",
        "a%3Bb",
        "a%25b",
        "a+b",
        "%20",
        "...",
        "a%2F..%2Fb",
        "%5C",
        "%00",
        "%0A",
        "a%2E",
        "%ef%bf%bf"
      })
  void anyPercentEncodedIdIsAllowed(String id) {
    assertThatCode(() -> Address.check(ROWS + "/" + id, null)).doesNotThrowAnyException();
  }

  @ParameterizedTest
  @ValueSource(strings = {".", "..", "%2E", "%2e%2E", ".%2e"})
  void dotSegmentsAreRefused(String id) {
    assertThatThrownBy(() -> Address.check(ROWS + "/" + id, null))
        .isInstanceOf(InvalidRequestException.class)
        .hasMessageContaining("get-rows");
  }

  @ParameterizedTest
  @ValueSource(strings = {"%", "%2", "%zz", "a%", "%g0", "%+1", "%１１"})
  void brokenPercentEncodingIsRefused(String text) {
    assertThatThrownBy(() -> Address.check(ROWS + "/" + text, null))
        .isInstanceOf(InvalidRequestException.class)
        .hasMessageContaining("path")
        .hasMessageContaining("hexadecimal");
    assertThatThrownBy(() -> Address.check(ROWS, "filter=" + text))
        .isInstanceOf(InvalidRequestException.class)
        .hasMessageContaining("query");
  }

  @ParameterizedTest
  @ValueSource(strings = {"%FF", "%C3%28", "%ED%A0%80", "%C0%AF", "%F0%9F%98"})
  void bytesThatAreNotUtf8AreRefused(String text) {
    assertThatThrownBy(() -> Address.check(ROWS + "/" + text, null))
        .isInstanceOf(InvalidRequestException.class)
        .hasMessageContaining("UTF-8");
    assertThatThrownBy(() -> Address.check(ROWS, "filter=" + text))
        .isInstanceOf(InvalidRequestException.class)
        .hasMessageContaining("UTF-8");
  }

  @ParameterizedTest
  @ValueSource(strings = {"雪", "a b", "a\tb", "\u007f"})
  void rawCharactersAreRefused(String text) {
    assertThatThrownBy(() -> Address.check(ROWS + "/" + text, null))
        .isInstanceOf(InvalidRequestException.class);
    assertThatThrownBy(() -> Address.check(ROWS, text)).isInstanceOf(InvalidRequestException.class);
  }

  @ParameterizedTest
  @ValueSource(strings = {"/api/v1/generic/", "/api//v1", "/api/v1/generic/s/rows/", "/"})
  void emptySegmentsAreNoRoute(String path) {
    assertThatThrownBy(() -> Address.check(path, null)).isInstanceOf(NotFoundException.class);
  }

  @Test
  void pathParametersAreRefused() {
    assertThatThrownBy(() -> Address.check(ROWS + "/a;b", null))
        .isInstanceOf(InvalidRequestException.class)
        .hasMessageContaining("';'");
    assertThatCode(() -> Address.check(ROWS, "filter=a;b")).doesNotThrowAnyException();
  }
}
