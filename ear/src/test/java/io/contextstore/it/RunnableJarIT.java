package io.contextstore.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How the runnable jar starts and ends. */
class RunnableJarIT {
  private static final int TERMINATED = 128 + 15;

  @Test
  void startsStopsAndCleansUpAlsoAfterAKill(@TempDir Path dir) throws Exception {
    Path tmp = Files.createDirectory(dir.resolve("tmp"));
    List<String> ownTmp = List.of("-Djava.io.tmpdir=" + tmp);
    try (RunnableJar server = RunnableJar.start(dir.resolve("data"), ownTmp, List.of())) {
      assertThat(status(server.baseUri().resolve("/health/live"))).isEqualTo(200);
      assertThat(server.output().lines())
          .singleElement()
          .asString()
          .startsWith("Context Store is ready: http://localhost:");

      server.kill();
      assertThat(list(tmp)).as("left behind by the kill").hasSize(1);

      server.restart();
      assertThat(status(server.baseUri().resolve("/health/live"))).isEqualTo(200);
      assertThat(list(tmp)).as("the restart removed the old one").hasSize(1);

      assertThat(server.terminate()).isEqualTo(TERMINATED);
      assertThat(list(tmp)).isEmpty();
    }
  }

  @Test
  void refusesInOneLine(@TempDir Path dir) {
    try (RunnableJar server =
        RunnableJar.launch(dir.resolve("data"), List.of(), List.of("--port", "none"))) {
      assertThat(server.awaitExit()).isEqualTo(1);
      assertThat(server.output())
          .isEqualTo(
              "Context Store did not start: --port must be a number from 1 to 65535, not 'none'\n");
    }
  }

  @Test
  void refusesASettingInOneLine(@TempDir Path dir) {
    List<String> setting = List.of("-Dcontextstore.flush.interval=soon");
    try (RunnableJar server = RunnableJar.launch(dir.resolve("data"), setting, List.of())) {
      assertThat(server.awaitExit()).isEqualTo(1);
      assertThat(server.output().lines())
          .singleElement()
          .asString()
          .startsWith("Context Store did not start: ")
          .contains("contextstore.flush.interval", "'soon'");
    }
  }

  private static int status(URI uri) throws IOException, InterruptedException {
    try (HttpClient client = HttpClient.newHttpClient()) {
      return client
          .send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.discarding())
          .statusCode();
    }
  }

  private static List<String> list(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files
          .map(file -> file.getFileName().toString())
          .filter(name -> name.startsWith("context-store-run-"))
          .toList();
    }
  }
}
