package io.contextstore.web.request;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.contextstore.api.error.InvalidRequestException;
import io.contextstore.api.error.UnsupportedException;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class QueryValuesTest {
  @Test
  void countsAreWholeNumbers() {
    assertThat(QueryValues.count("limit", null)).isEmpty();
    assertThat(QueryValues.count("limit", "0")).hasValue(0);
    assertThat(QueryValues.count("limit", "999999999999999999")).hasValue(999_999_999_999_999_999L);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "-1", "+1", " 1", "1.0", "1e3", "x", "٣", "1000000000000000000"})
  void otherCountsAreRefusedByName(String value) {
    assertThatThrownBy(() -> QueryValues.count("limit", value))
        .isInstanceOf(InvalidRequestException.class)
        .hasMessageContaining("'limit'");
  }

  @Test
  void oneColumnsValueIsSplit() {
    assertThat(QueryValues.columns(null)).isEmpty();
    assertThat(QueryValues.columns(List.of())).isEmpty();
    assertThat(QueryValues.columns(List.of("a,b"))).containsExactly("a", "b");
  }

  @Test
  void severalColumnsValuesAreNamesAsTheyAre() {
    assertThat(QueryValues.columns(List.of("a,b", "c"))).containsExactly("a,b", "c");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", ",", "a,", ",a", "a,,b"})
  void emptyColumnNamesAreRefused(String value) {
    assertThatThrownBy(() -> QueryValues.columns(List.of(value)))
        .isInstanceOf(InvalidRequestException.class)
        .hasMessageContaining("empty");
  }

  @Test
  void doubledColumnsAreRefusedByName() {
    assertThatThrownBy(() -> QueryValues.columns(List.of("a,b,a")))
        .isInstanceOf(InvalidRequestException.class)
        .hasMessageContaining("'a'");
  }

  @Test
  void noMoreColumnsThanAStoreCanHave() {
    List<String> names = IntStream.rangeClosed(0, 1024).mapToObj(i -> "c" + i).toList();
    assertThat(QueryValues.columns(names.subList(0, 1024))).hasSize(1024);
    assertThatThrownBy(() -> QueryValues.columns(names))
        .isInstanceOf(InvalidRequestException.class);
    assertThatThrownBy(
            () -> QueryValues.columns(List.of(String.join(",", Collections.nCopies(2000, "a")))))
        .isInstanceOf(InvalidRequestException.class);
  }

  @Test
  void textIsNotEmpty() {
    assertThat(QueryValues.text("filter", null)).isEmpty();
    assertThat(QueryValues.text("filter", "a = 1")).hasValue("a = 1");
    assertThatThrownBy(() -> QueryValues.text("filter", " "))
        .isInstanceOf(InvalidRequestException.class)
        .hasMessageContaining("'filter'");
  }

  @Test
  void flagsAreTrueOrFalse() {
    assertThat(QueryValues.flag("f", null)).isFalse();
    assertThat(QueryValues.flag("f", "false")).isFalse();
    assertThat(QueryValues.flag("f", "true")).isTrue();
    assertThatThrownBy(() -> QueryValues.flag("f", "yes"))
        .isInstanceOf(InvalidRequestException.class)
        .hasMessageContaining("'f'");
  }

  @Test
  void plannedParametersAreNotImplemented() {
    QueryValues.refusePlanned("after", null);
    assertThatThrownBy(() -> QueryValues.refusePlanned("after", "x"))
        .isInstanceOf(UnsupportedException.class)
        .hasMessageContaining("'after'");
  }
}
