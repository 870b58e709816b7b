package io.contextstore.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.contextstore.api.StoreName;
import io.contextstore.api.error.AlreadyExistsException;
import io.contextstore.api.error.InternalException;
import io.contextstore.api.error.NotFoundException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Creates and drops when the disk does not play along. */
class StoreLifecycleTest {
  private static final String SCHEMA =
      """
      {"columns": [["id", {"type": "string", "nullable": false}], ["n", {"type": "int64"}]]}
      """;
  private static final String ROW = "{\"rows\":[{\"id\":\"a\",\"n\":1}]}";

  @TempDir Path data;
  private TestEngine engine;

  @BeforeEach
  void open() {
    engine = TestEngine.open(data);
  }

  @AfterEach
  void close() {
    engine.close();
  }

  @Test
  void aCreateThatCannotWriteItsEntryLeavesNothingAndTheNameFree() throws Exception {
    Path inTheWay = Files.createDirectories(entry().resolve("not-empty"));
    assertThatThrownBy(() -> engine.create("s", SCHEMA)).isInstanceOf(InternalException.class);
    assertThatThrownBy(() -> engine.get("s", "a")).isInstanceOf(NotFoundException.class);

    Files.delete(inTheWay);
    Files.delete(entry());
    engine.create("s", SCHEMA);
    engine.append("s", ROW);
    assertThatThrownBy(() -> engine.create("s", SCHEMA)).isInstanceOf(AlreadyExistsException.class);
    engine.close();
    engine = TestEngine.open(data);
    assertThat(engine.list("s")).hasSize(1);
    assertThat(tables()).hasSize(1);
  }

  @Test
  void aDropThatCannotMarkItsFoldersLeavesTheStoreAsItWas() throws Exception {
    engine.create("s", SCHEMA);
    engine.append("s", ROW);
    String marker = tables().getFirst().replace(".lance", ".debris.tmp");
    Path inTheWay = Files.createDirectories(data.resolve("catalog").resolve(marker));
    assertThatThrownBy(() -> engine.stores.drop(new StoreName("s")))
        .isInstanceOf(InternalException.class);
    engine.append("s", "{\"rows\":[{\"id\":\"b\",\"n\":1}]}");
    assertThat(engine.list("s")).hasSize(2);

    Files.delete(inTheWay);
    engine.stores.drop(new StoreName("s"));
    assertThatThrownBy(() -> engine.list("s")).isInstanceOf(NotFoundException.class);
  }

  /** Rows that such a store took would be lost at the next start. */
  @Test
  void aDropThatCanNeitherRemoveNorRestoreTheEntryTakesNoMoreRows() throws Exception {
    engine.create("s", SCHEMA);
    engine.append("s", ROW);
    Files.delete(entry());
    final Path inTheWay = Files.createDirectories(entry().resolve("not-empty"));
    assertThatThrownBy(() -> engine.stores.drop(new StoreName("s")))
        .isInstanceOf(InternalException.class)
        .hasMessageContaining("restart");
    assertThatThrownBy(() -> engine.append("s", ROW)).isInstanceOf(NotFoundException.class);
    assertThat(tables()).as("nobody knows whether it is dropped").hasSize(1);

    engine.close();
    Files.delete(inTheWay);
    Files.delete(entry());
    engine = TestEngine.open(data);
    assertThat(tables()).isEmpty();
  }

  @Test
  void aNewStoreOfTheSameNameHasNothingOfTheOldOne() {
    for (int i = 0; i < 3; i++) {
      engine.create("s", SCHEMA);
      assertThat(engine.list("s")).isEmpty();
      engine.append("s", ROW);
      engine.flush("s");
      engine.stores.drop(new StoreName("s"));
    }
  }

  private Path entry() {
    return data.resolve("catalog/s.generic.json");
  }

  private List<String> tables() throws IOException {
    try (Stream<Path> all = Files.list(data.resolve("stores"))) {
      return all.map(path -> path.getFileName().toString())
          .filter(name -> name.endsWith(".lance"))
          .toList();
    }
  }
}
