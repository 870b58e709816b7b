package io.contextstore.table;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.junit.jupiter.api.Test;

class LanceErrorsTest {
  @Test
  void storageThatFailsWhileAFilterRunsIsNotTheFiltersFault() {
    IOException io =
        new IOException(
            "External error: Query Execution error: LanceError(IO): Arrow error: read failed");
    assertThat(LanceErrors.reading("scan", true, io)).isInstanceOf(TableException.class);
    assertThat(LanceErrors.planning("scan", true, io)).isInstanceOf(TableException.class);
  }

  @Test
  void withoutAFilterNothingIsTheFiltersFault() {
    RuntimeException error = new IllegalArgumentException("Invalid user input: no");
    assertThat(LanceErrors.planning("scan", false, error)).isInstanceOf(TableException.class);
    assertThat(LanceErrors.planning("scan", true, error))
        .isInstanceOf(TableFilterException.class)
        .hasMessage("no");
  }

  @Test
  void onlyWhatSurelyDidNotLandIsAConflict() {
    assertThat(LanceErrors.isConflict(new RuntimeException("Retryable commit conflict for 3")))
        .isTrue();
    assertThat(LanceErrors.isConflict(new RuntimeException("Incompatible transaction: no")))
        .isTrue();
    assertThat(LanceErrors.isConflict(new IOException("connection reset"))).isFalse();
    assertThat(LanceErrors.isConflict(new RuntimeException())).isFalse();
  }
}
