package io.contextstore.service;

import static org.assertj.core.api.Assertions.assertThat;

import io.contextstore.api.ListQuery;
import io.contextstore.api.RowStream;
import io.contextstore.api.StoreName;
import io.contextstore.api.error.NotFoundException;
import io.contextstore.schema.ArrowSchemas;
import io.contextstore.view.Store;
import io.contextstore.view.StoreKind;
import jakarta.json.Json;
import jakarta.json.JsonArray;
import jakarta.json.JsonObject;
import jakarta.json.JsonReader;
import jakarta.json.JsonValue;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.StringReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.apache.arrow.vector.VarCharVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A random history of operations against a map. The seed is printed; {@code -Dmodel.seed=…
 * -Dmodel.operations=…} repeats a run or makes a longer one.
 */
class EngineModelTest {
  private static final String STORE = "model";
  private static final String SCHEMA =
      """
      {"columns": [["id", {"type": "string", "nullable": false}],
                   ["n", {"type": "int64"}], ["t", {"type": "string"}]]}
      """;
  private static final int KEYS = 400;

  @TempDir Path data;

  private final long seed = Long.getLong("model.seed", new Random().nextLong());
  private final int operations = Integer.getInteger("model.operations", 10_000);
  private final Random random = new Random(seed);
  private final TreeMap<String, Integer> model = new TreeMap<>();
  private final List<Held> held = new ArrayList<>();
  private TestEngine engine;
  private int step;
  private int indexed;

  /** A list that was opened and is read later. */
  private record Held(RowStream rows, Map<String, Integer> expected, int openedAt) {}

  @Test
  void everyReadAgreesWithAMap() {
    System.out.println(
        "EngineModelTest: -Dmodel.seed=" + seed + " -Dmodel.operations=" + operations);
    engine = TestEngine.open(data);
    try {
      engine.create(STORE, SCHEMA);
      for (step = 0; step < operations; step++) {
        operation(random.nextInt(1000));
      }
      held.forEach(this::checkHeld);
      held.clear();
      checkAll();
      engine.merge(STORE);
      checkAll();
      checkIndices();
      if (operations >= 5000) {
        assertThat(indexed).as(where() + ", indices that were made or renewed").isPositive();
      }
    } finally {
      held.forEach(list -> list.rows().close());
      engine.close();
    }
  }

  private void operation(int dice) {
    if (dice < 350) {
      append(1 + random.nextInt(3));
    } else if (dice < 370) {
      append(random.nextInt(300));
    } else if (dice < 450) {
      delete(1 + random.nextInt(3));
    } else if (dice < 750) {
      get();
    } else if (dice < 800) {
      getMany();
    } else if (dice < 850) {
      page();
    } else if (dice < 870) {
      filter();
    } else if (dice < 885) {
      checkAll();
    } else if (dice < 900) {
      hold();
    } else if (dice < 915 && !held.isEmpty()) {
      checkHeld(held.remove(random.nextInt(held.size())));
    } else if (dice < 975) {
      engine.flush(STORE);
    } else if (dice < 992) {
      engine.merge(STORE);
    } else if (dice < 996) {
      engine.engine.maintainer().indexTick();
    } else {
      reopen();
    }
  }

  private void append(int rows) {
    StringBuilder json = new StringBuilder("{\"rows\":[");
    for (int i = 0; i < rows; i++) {
      String key = key();
      int value = random.nextInt(1000);
      json.append(i == 0 ? "" : ",")
          .append("{\"id\":\"")
          .append(key)
          .append("\",\"n\":")
          .append(value)
          .append(",\"t\":\"t")
          .append(value % 7)
          .append("\"}");
      model.put(key, value);
    }
    engine.append(STORE, json.append("]}").toString());
  }

  private void delete(int rows) {
    Store store =
        engine.engine.registry().open(StoreKind.GENERIC, new StoreName(STORE)).orElseThrow();
    VectorSchemaRoot root =
        VectorSchemaRoot.create(ArrowSchemas.tombstones(), engine.engine.rows());
    VarCharVector ids = (VarCharVector) root.getVector(0);
    for (int i = 0; i < rows; i++) {
      String key = key();
      ids.setSafe(i, key.getBytes(StandardCharsets.UTF_8));
      model.remove(key);
    }
    root.setRowCount(rows);
    store.append(root, true);
  }

  private void get() {
    String key = key();
    Integer expected = model.get(key);
    try {
      JsonObject row = engine.get(STORE, key);
      assertThat(row.getInt("n")).as(where()).isEqualTo(expected);
    } catch (NotFoundException e) {
      assertThat(expected).as(where() + " key " + key).isNull();
    }
  }

  private void getMany() {
    List<String> keys = new ArrayList<>();
    for (int i = random.nextInt(150); i >= 0; i--) {
      keys.add(key());
    }
    List<String> expected = keys.stream().distinct().filter(model::containsKey).toList();
    JsonArray rows = engine.getMany(STORE, keys);
    assertThat(ids(rows)).as(where()).isEqualTo(expected);
    assertThat(values(rows)).as(where()).isEqualTo(picked(expected));
  }

  private Map<String, Integer> picked(List<String> keys) {
    return keys.stream().collect(Collectors.toMap(key -> key, model::get));
  }

  private void page() {
    int offset = random.nextInt(model.size() + 10);
    int limit = random.nextInt(100);
    Optional<String> filter = random.nextBoolean() ? Optional.of("n < 500") : Optional.empty();
    JsonArray rows = engine.query(STORE, filter, OptionalLong.of(limit), OptionalLong.of(offset));
    List<String> expected =
        model.entrySet().stream()
            .filter(row -> filter.isEmpty() || row.getValue() < 500)
            .map(Map.Entry::getKey)
            .skip(offset)
            .limit(limit)
            .toList();
    assertThat(ids(rows)).as(where()).isEqualTo(expected);
    assertThat(values(rows)).as(where()).isEqualTo(picked(expected));
  }

  private void filter() {
    int bound = random.nextInt(1000);
    JsonArray rows = engine.filter(STORE, "n >= " + bound + " AND t = 't3'");
    Map<String, Integer> expected = new TreeMap<>(model);
    expected.values().removeIf(n -> n < bound || n % 7 != 3);
    assertThat(rows).as(where()).hasSize(expected.size());
    assertThat(values(rows)).as(where()).isEqualTo(expected);
  }

  private void checkAll() {
    JsonArray rows = engine.list(STORE);
    assertThat(rows).as(where()).hasSize(model.size());
    assertThat(values(rows)).as(where()).isEqualTo(model);
  }

  private void hold() {
    if (held.size() < 5) {
      held.add(
          new Held(
              engine.stores.rows(
                  new StoreName(STORE),
                  new ListQuery(
                      List.of(), Optional.empty(), OptionalLong.empty(), OptionalLong.empty())),
              Map.copyOf(model),
              step));
    }
  }

  private void checkHeld(Held list) {
    try (RowStream rows = list.rows()) {
      ByteArrayOutputStream out = new ByteArrayOutputStream();
      rows.writeTo(out);
      try (JsonReader reader =
          Json.createReader(new StringReader(out.toString(StandardCharsets.UTF_8)))) {
        JsonArray read = reader.readObject().getJsonArray("rows");
        assertThat(read)
            .as(where() + " held since " + list.openedAt())
            .hasSameSizeAs(list.expected().keySet());
        assertThat(values(read)).as(where()).isEqualTo(list.expected());
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Indices come with merges and by dice, beside everything else. */
  private void checkIndices() {
    assertThat(engine.metrics.counts).as(where()).doesNotContainKey("index FAILED");
    indexed += engine.metrics.counts.getOrDefault("index OK", 0);
  }

  private void reopen() {
    held.forEach(list -> list.rows().close());
    held.clear();
    checkIndices();
    engine.close();
    engine = TestEngine.open(data);
    checkAll();
  }

  private String key() {
    return "k" + random.nextInt(KEYS);
  }

  private String where() {
    return "seed " + seed + ", operation " + step;
  }

  private static List<String> ids(JsonArray rows) {
    return rows.stream().map(row -> row.asJsonObject().getString("id")).toList();
  }

  private static Map<String, Integer> values(JsonArray rows) {
    return rows.stream()
        .map(JsonValue::asJsonObject)
        .collect(Collectors.toMap(row -> row.getString("id"), row -> row.getInt("n")));
  }
}
