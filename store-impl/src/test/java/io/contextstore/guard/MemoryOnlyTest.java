package io.contextstore.guard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class MemoryOnlyTest {
  @Test
  void theMarkHoldsForItsThreadAndUntilItsEnd() {
    MemoryOnly.checkIoAllowed();
    MemoryOnly.run(
        "outer",
        () -> {
          MemoryOnly.run("inner", () -> refused("inner"));
          refused("outer");
          assertThat(CompletableFuture.supplyAsync(MemoryOnly::ioAllowed).join()).isTrue();
        });
    MemoryOnly.checkIoAllowed();
  }

  @Test
  void workThatThrowsTakesTheMarkWithIt() {
    assertThatThrownBy(
            () ->
                MemoryOnly.call(
                    "failing",
                    () -> {
                      throw new IllegalArgumentException("x");
                    }))
        .hasMessage("x");
    MemoryOnly.checkIoAllowed();
  }

  private static void refused(String method) {
    assertThat(MemoryOnly.ioAllowed()).isFalse();
    assertThatThrownBy(MemoryOnly::checkIoAllowed)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining(method);
  }
}
