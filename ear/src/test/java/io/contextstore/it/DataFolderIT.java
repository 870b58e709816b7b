package io.contextstore.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A data folder has one server. */
class DataFolderIT {
  @Test
  void aSecondServerIsRefusedInOneLineAndTheFirstLivesOn(@TempDir Path dir) {
    Path data = dir.resolve("data");
    try (RunnableJar first = RunnableJar.start(data, RunnableJar.QUICK_START, List.of());
        Api api = new Api(first.baseUri())) {
      String store = api.createStore("[\"n\",{\"type\":\"int64\"}]");
      assertThat(api.append(store, "{\"id\":\"a\",\"n\":1}").status()).isEqualTo(201);

      try (RunnableJar second = RunnableJar.launch(data, RunnableJar.QUICK_START, List.of())) {
        assertThat(second.awaitExit()).isEqualTo(1);
        assertThat(second.output().lines())
            .singleElement()
            .asString()
            .startsWith("Context Store did not start: The data folder " + data)
            .contains("in use by another running server");
      }

      assertThat(api.append(store, "{\"id\":\"b\",\"n\":2}").status()).isEqualTo(201);
      assertThat(api.post("/generic/" + store + "/merge-wal").status()).isEqualTo(200);
      assertThat(api.get("/generic/" + store + "/rows?limit=9").json())
          .isEqualTo(
              Map.of("rows", List.of(Map.of("id", "a", "n", 1L), Map.of("id", "b", "n", 2L))));
      assertThat(first.output().lines()).noneMatch(line -> line.contains("WARNING"));
    }
  }
}
