package io.contextstore.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.contextstore.api.StoreName;
import io.contextstore.api.error.AlreadyExistsException;
import io.contextstore.api.error.InvalidRequestException;
import io.contextstore.api.error.NotFoundException;
import io.contextstore.api.error.StartupException;
import jakarta.json.JsonArray;
import jakarta.json.JsonObject;
import jakarta.json.JsonValue;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EngineTest {
  private static final String SCHEMA =
      """
      {"columns": [["id", {"type": "string", "nullable": false}],
                   ["n", {"type": "int64"}], ["t", {"type": "string"}]]}
      """;

  @TempDir Path data;
  private TestEngine engine;

  @BeforeEach
  void open() {
    engine = TestEngine.open(data);
    engine.create("s", SCHEMA);
  }

  @AfterEach
  void close() {
    engine.close();
  }

  @Test
  void appendedRowsAreReadableAtOnceAndAfterSealAndMerge() {
    assertThat(engine.append("s", rows("a", 1, "b", 2))).isEqualTo(2);
    check("a", 1, "b", 2);
    engine.flush("s");
    check("a", 1, "b", 2);
    engine.append("s", rows("b", 3, "c", 4));
    check("a", 1, "b", 3, "c", 4);
    assertThat(engine.merge("s")).isEqualTo(2);
    check("a", 1, "b", 3, "c", 4);
    engine.append("s", rows("a", 5));
    check("a", 5, "b", 3, "c", 4);
    assertThat(engine.merge("s")).isEqualTo(1);
    check("a", 5, "b", 3, "c", 4);
    assertThat(engine.merge("s")).isZero();
    assertThat(engine.metrics.counts).containsEntry("flush OK", 3).containsEntry("reclaimed", 3);
  }

  @Test
  void aReopenedEngineHasEveryRowBeforeAnyAppend() {
    engine.append("s", rows("a", 1, "b", 2));
    engine.merge("s");
    engine.append("s", rows("b", 3));
    engine.flush("s");
    engine.append("s", rows("c", 4));
    for (int i = 0; i < 3; i++) {
      engine.close();
      engine = TestEngine.open(data);
      check("a", 1, "b", 3, "c", 4);
    }
    assertThat(engine.merge("s")).isPositive();
    check("a", 1, "b", 3, "c", 4);
  }

  @Test
  void aFilterLooksAtTheNewestRowOnly() {
    engine.append("s", rows("a", 1, "b", 1));
    engine.merge("s");
    engine.append("s", rows("a", 2));
    engine.flush("s");
    engine.append("s", rows("b", 3, "c", 1));

    assertThat(ids(engine.filter("s", "n = 1"))).containsExactly("c");
    assertThat(ids(engine.filter("s", "n >= 2"))).containsExactlyInAnyOrder("a", "b");
    engine.merge("s");
    assertThat(ids(engine.filter("s", "n = 1"))).containsExactly("c");
  }

  @Test
  void aBadRegularExpressionIsTheFiltersFaultWhereverTheRowsAre() {
    engine.append("s", "{\"rows\":[{\"id\":\"a\",\"t\":\"x\"}]}");
    refused("regexp_like(t, '(')");
    engine.flush("s");
    refused("regexp_like(t, '(')");
    engine.merge("s");
    refused("regexp_like(t, '(')");
    refused("regexp_like(t, '[')");
    refused("regexp_like(t, '(?=x)')");
    refused("regexp_like(t, '\\1')");
    assertThat(ids(engine.filter("s", "regexp_like(t, '^x$')"))).containsExactly("a");
  }

  private void refused(String filter) {
    assertThatThrownBy(() -> engine.filter("s", filter))
        .isInstanceOf(InvalidRequestException.class)
        .hasMessageContaining("Invalid regex")
        .hasMessageNotContaining("Lance");
  }

  @Test
  void pagesComeInTheOrderOfIdsFromEveryMix() {
    engine.append("s", rows("e", 5, "a", 1, "c", 3));
    engine.merge("s");
    engine.append("s", rows("d", 4, "c", 33));
    engine.flush("s");
    engine.append("s", rows("b", 2, "a", 11));

    assertThat(ids(engine.page("s", 0, 10))).containsExactly("a", "b", "c", "d", "e");
    assertThat(ids(engine.page("s", 1, 3))).containsExactly("b", "c", "d");
    assertThat(ids(engine.page("s", 4, 3))).containsExactly("e");
    assertThat(ids(engine.page("s", 5, 3))).isEmpty();
    assertThat(ids(engine.page("s", 0, 0))).isEmpty();
    assertThat(
            ids(engine.query("s", Optional.of("n > 3"), OptionalLong.of(2), OptionalLong.empty())))
        .containsExactly("a", "c");
  }

  @Test
  void getManyKeepsTheOrderAskedForAndLeavesOutWhatIsMissing() {
    engine.append("s", rows("a", 1, "b", 2));
    engine.merge("s");
    engine.append("s", rows("c", 3, "a", 9));

    assertThat(ids(engine.getMany("s", List.of("c", "x", "b", "a", "c"))))
        .containsExactly("c", "b", "a");
    assertThatThrownBy(() -> engine.get("s", "x")).isInstanceOf(NotFoundException.class);
  }

  @Test
  void aDroppedStoreIsGoneAndItsFoldersToo() throws Exception {
    engine.append("s", rows("a", 1));
    engine.stores.drop(new StoreName("s"));

    assertThatThrownBy(() -> engine.get("s", "a")).isInstanceOf(NotFoundException.class);
    assertThatThrownBy(() -> engine.stores.drop(new StoreName("s")))
        .isInstanceOf(NotFoundException.class);
    engine.create("s", SCHEMA);
    check();
    assertThatThrownBy(() -> engine.create("s", SCHEMA)).isInstanceOf(AlreadyExistsException.class);
    engine.close();
    engine = TestEngine.open(data);
    check();
    try (Stream<Path> folders = Files.list(data.resolve("stores"))) {
      assertThat(folders.filter(p -> p.toString().endsWith(".lance"))).hasSize(1);
    }
  }

  @Test
  void aSecondEngineOnTheSameFolderIsRefusedInOneLine() {
    assertThatThrownBy(() -> TestEngine.open(data))
        .isInstanceOf(StartupException.class)
        .hasMessageContaining("in use by another running server");
  }

  /** The store holds exactly these rows, by every way to read it. */
  private void check(Object... idsAndNumbers) {
    JsonArray all = engine.list("s");
    assertThat(all).hasSize(idsAndNumbers.length / 2);
    JsonArray ordered = engine.page("s", 0, 1000);
    assertThat(ids(ordered)).containsExactlyInAnyOrderElementsOf(ids(all));
    for (int i = 0; i < idsAndNumbers.length; i += 2) {
      JsonObject row = engine.get("s", (String) idsAndNumbers[i]);
      assertThat(row.getInt("n")).isEqualTo(idsAndNumbers[i + 1]);
      assertThat((List<JsonValue>) all).contains(row);
      assertThat((List<JsonValue>) ordered).contains(row);
    }
  }

  private static List<String> ids(JsonArray rows) {
    return rows.stream().map(row -> row.asJsonObject().getString("id")).toList();
  }

  private static String rows(Object... idsAndNumbers) {
    StringBuilder json = new StringBuilder("{\"rows\":[");
    for (int i = 0; i < idsAndNumbers.length; i += 2) {
      json.append(i == 0 ? "" : ",")
          .append("{\"id\":\"")
          .append(idsAndNumbers[i])
          .append("\",\"n\":")
          .append(idsAndNumbers[i + 1])
          .append('}');
    }
    return json.append("]}").toString();
  }
}
