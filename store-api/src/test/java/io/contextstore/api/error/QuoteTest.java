package io.contextstore.api.error;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class QuoteTest {
  @Test
  void shortTextIsShownWhole() {
    assertThat(Quote.cut("")).isEmpty();
    assertThat(Quote.cut("x".repeat(40))).isEqualTo("x".repeat(40));
  }

  @Test
  void longTextIsCut() {
    assertThat(Quote.cut("x".repeat(41))).isEqualTo("x".repeat(40) + "…");
  }

  @Test
  void neverWithinACharacter() {
    assertThat(Quote.cut("x".repeat(39) + "😀")).isEqualTo("x".repeat(39) + "…");
    assertThat(Quote.cut("x".repeat(38) + "😀😀")).isEqualTo("x".repeat(38) + "😀…");
  }

  @Test
  void stretchesOfAnArray() {
    char[] text = ("abc" + "x".repeat(39) + "😀").toCharArray();
    assertThat(Quote.cut(text, 1, 2)).isEqualTo("bc");
    assertThat(Quote.cut(text, 3, 41)).isEqualTo("x".repeat(39) + "…");
  }
}
