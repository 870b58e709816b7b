package io.contextstore.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.contextstore.it.Api.Answer;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Each call on generic stores, as a client that does nothing wrong sees it. */
@ExtendWith(ServerUnderTest.class)
class GenericContractIT {
  private static final String N = "[\"n\",{\"type\":\"int64\"}]";
  private static final String TEXT = "[\"text\",{\"type\":\"string\"}]";

  private Api api;

  @BeforeEach
  void connect(URI server) {
    api = new Api(server);
  }

  @AfterEach
  void disconnect() {
    api.close();
  }

  @Test
  void health() {
    Answer answer = api.get("/health");
    assertThat(answer.status()).isEqualTo(200);
    assertThat(answer.json()).isEqualTo(Map.of("status", "ok"));
    assertThat(answer.header("Content-Type")).hasValue("application/json");
  }

  @Test
  void createDescribeListDrop() {
    String name = Api.newName();
    Map<String, Object> schema =
        Map.of(
            "columns",
            List.of(
                List.of("id", Map.of("type", "string", "nullable", false)),
                List.of("n", Map.of("type", "int64", "nullable", true))));

    Answer created = api.post("/generic", Api.newStore(name, N));
    assertThat(created.status()).as("%s", created).isEqualTo(201);
    assertThat(created.member("name")).isEqualTo(name);
    assertThat(created.member("version")).isInstanceOf(Long.class);
    assertThat(created.member("schema")).isEqualTo(schema);
    Object uri = created.member("uri");
    assertThat((String) uri).contains(name);

    Answer described = api.get("/generic/" + name);
    assertThat(described.status()).isEqualTo(200);
    assertThat(described.json()).isEqualTo(created.json());

    Answer listed = api.get("/generic");
    assertThat(listed.status()).isEqualTo(200);
    assertThat(Api.list(listed.member("stores")))
        .contains(Map.of("name", name, "uri", uri))
        .isSortedAccordingTo(
            (a, b) ->
                ((String) ((Map<?, ?>) a).get("name"))
                    .compareTo((String) ((Map<?, ?>) b).get("name")));

    Answer dropped = api.delete("/generic/" + name);
    assertThat(dropped.status()).isEqualTo(204);
    assertThat(dropped.body()).isEmpty();
    assertThat(api.delete("/generic/" + name).status()).isEqualTo(404);
    assertThat(api.get("/generic/" + name).status()).isEqualTo(404);
    assertThat(api.get("/generic").body()).doesNotContain("\"" + name + "\"");
  }

  @Test
  void eachCreationHasAFolderOfItsOwn() {
    String name = Api.newName();
    Object first = api.post("/generic", Api.newStore(name, N)).member("uri");
    api.append(name, "{\"id\":\"a\",\"n\":1}");
    api.delete("/generic/" + name);

    Answer again = api.post("/generic", Api.newStore(name, TEXT));
    assertThat(again.status()).isEqualTo(201);
    assertThat(again.member("uri")).isNotEqualTo(first);
    assertThat(api.get("/generic/" + name + "/rows").json()).isEqualTo(rows());
  }

  @Test
  void idComesFirstWhereverItWasDeclared() {
    String name = Api.newName();
    Answer created =
        api.post(
            "/generic",
            "{\"name\":\""
                + name
                + "\",\"schema\":{\"columns\":["
                + N
                + ",[\"id\",{\"type\":\"string\",\"nullable\":false}]]}}");
    assertThat(created.status()).isEqualTo(201);
    Map<?, ?> schema = (Map<?, ?>) created.member("schema");
    assertThat(((List<?>) ((List<?>) schema.get("columns")).getFirst()).getFirst()).isEqualTo("id");
  }

  @Test
  void storageOptionsAreNeverShown() {
    String name = Api.newName();
    String body =
        Api.newStore(name, N)
            .replaceFirst(
                "}$", ",\"storage_options\":{\"some_key\":\"hunter2\"},\"seal_on_add\":true}");
    assertThat(api.post("/generic", body).body()).doesNotContain("hunter2");
    assertThat(api.get("/generic/" + name).body()).doesNotContain("hunter2");
    assertThat(api.get("/generic").body()).doesNotContain("hunter2");
  }

  @Test
  void appendedRowsAreThereAtOnce() {
    String store = api.createStore(N, TEXT);
    Answer appended =
        api.append(store, "{\"id\":\"b\",\"n\":2,\"text\":\"x\"}", "{\"id\":\"a\",\"n\":null}");
    assertThat(appended.status()).as("%s", appended).isEqualTo(201);
    assertThat(appended.member("count")).isEqualTo(2L);
    assertThat(appended.member("version")).isInstanceOf(Long.class);

    assertThat(api.get("/generic/" + store + "/rows/b").json())
        .isEqualTo(Map.of("id", "b", "n", 2L, "text", "x"));
    assertThat(api.get("/generic/" + store + "/rows/a").json()).isEqualTo(Map.of("id", "a"));
    assertThat(Api.list(api.get("/generic/" + store + "/rows").member("rows")))
        .hasSize(2)
        .contains(Map.of("id", "a"));
  }

  @Test
  void anEmptyAppendIsFine() {
    String store = api.createStore(N);
    Answer appended = api.append(store);
    assertThat(appended.status()).isEqualTo(201);
    assertThat(appended.member("count")).isEqualTo(0L);
    assertThat(api.get("/generic/" + store + "/rows").json()).isEqualTo(rows());
  }

  @Test
  void theNewestRowOfAKeyWins() {
    String store = api.createStore(N);
    api.append(store, "{\"id\":\"a\",\"n\":1}", "{\"id\":\"b\",\"n\":1}", "{\"id\":\"a\",\"n\":2}");
    assertThat(api.get("/generic/" + store + "/rows/a").json()).isEqualTo(row("a", 2));
    api.post("/generic/" + store + "/flush");
    api.append(store, "{\"id\":\"a\",\"n\":3}");
    assertThat(api.get("/generic/" + store + "/rows/a").json()).isEqualTo(row("a", 3));
    api.post("/generic/" + store + "/merge-wal");
    api.append(store, "{\"id\":\"a\",\"n\":4}");
    assertThat(api.get("/generic/" + store + "/rows?limit=10").json())
        .isEqualTo(rows(row("a", 4), row("b", 1)));
  }

  @Test
  void pagesAreInTheOrderOfTheIds() {
    String store = api.createStore(N);
    api.append(store, "{\"id\":\"d\",\"n\":4}", "{\"id\":\"b\",\"n\":2}");
    api.post("/generic/" + store + "/flush");
    api.append(store, "{\"id\":\"c\",\"n\":3}", "{\"id\":\"a\",\"n\":1}");
    String rows = "/generic/" + store + "/rows";

    assertThat(api.get(rows + "?limit=2").json()).isEqualTo(rows(row("a", 1), row("b", 2)));
    assertThat(api.get(rows + "?limit=2&offset=1").json())
        .isEqualTo(rows(row("b", 2), row("c", 3)));
    assertThat(api.get(rows + "?offset=3").json()).isEqualTo(rows(row("d", 4)));
    assertThat(api.get(rows + "?offset=4").json()).isEqualTo(rows());
    assertThat(api.get(rows + "?limit=0").json()).isEqualTo(rows());
  }

  @Test
  void filters() {
    String store = api.createStore(N, TEXT);
    api.append(
        store,
        "{\"id\":\"a\",\"n\":1,\"text\":\"it's 雪\"}",
        "{\"id\":\"b\",\"n\":2}",
        "{\"id\":\"c\",\"n\":3,\"text\":\"x\"}");
    String rows = "/generic/" + store + "/rows?limit=9&columns=id&filter=";
    Map<String, List<String>> matches =
        Map.of(
            "n >= 2",
            List.of("b", "c"),
            "text IS NULL OR n = 1",
            List.of("a", "b"),
            "text = 'it''s 雪'",
            List.of("a"),
            "id IN ('a', 'c') AND NOT n BETWEEN 2 AND 9",
            List.of("a"),
            "n > 100",
            List.of());
    matches.forEach(
        (filter, ids) ->
            assertThat(api.get(rows + Api.encode(filter)).json())
                .as(filter)
                .isEqualTo(rows(ids.stream().map(id -> Map.of("id", id)).toArray())));
  }

  @Test
  void columnsAreChosen() {
    String store = api.createStore(N, TEXT);
    api.append(store, "{\"id\":\"a\",\"n\":1,\"text\":\"x\"}");
    String rows = "/generic/" + store + "/rows";

    assertThat(api.get(rows + "/a?columns=n,text").json()).isEqualTo(Map.of("n", 1L, "text", "x"));
    assertThat(api.get(rows + "/a?columns=n&columns=text").json())
        .isEqualTo(Map.of("n", 1L, "text", "x"));
    assertThat(api.get(rows + "?columns=text").json()).isEqualTo(rows(Map.of("text", "x")));
    assertThat(
            api.post("/generic/" + store + "/get-rows", "{\"ids\":[\"a\"],\"columns\":[\"n\"]}")
                .json())
        .isEqualTo(rows(Map.of("n", 1L)));
  }

  @Test
  void aColumnNameMayHoldAComma() {
    String store = api.createStore("[\"a,b\",{\"type\":\"int64\"}]");
    api.append(store, "{\"id\":\"x\",\"a,b\":1}");
    assertThat(api.get("/generic/" + store + "/rows/x?columns=a%2Cb&columns=id").json())
        .isEqualTo(Map.of("a,b", 1L, "id", "x"));
  }

  @Test
  void getRowsKeepsTheOrderOfTheRequest() {
    String store = api.createStore(N);
    api.append(store, "{\"id\":\"a\",\"n\":1}", "{\"id\":\"b\",\"n\":2}");
    api.post("/generic/" + store + "/flush");
    api.append(store, "{\"id\":\"c\",\"n\":3}");
    Answer answer =
        api.post("/generic/" + store + "/get-rows", "{\"ids\":[\"c\",\"nope\",\"a\",\"c\",\"b\"]}");
    assertThat(answer.status()).isEqualTo(200);
    assertThat(answer.json()).isEqualTo(rows(row("c", 3), row("a", 1), row("b", 2)));
    assertThat(api.post("/generic/" + store + "/get-rows", "{\"ids\":[]}").json())
        .isEqualTo(rows());
  }

  @Test
  void flushAndMergeWal() {
    String store = api.createStore(N);
    api.append(store, "{\"id\":\"a\",\"n\":1}");

    Answer flushed = api.post("/generic/" + store + "/flush");
    assertThat(flushed.status()).as("%s", flushed).isEqualTo(204);
    assertThat(flushed.body()).isEmpty();
    assertThat(api.post("/generic/" + store + "/flush").status()).isEqualTo(204);

    api.append(store, "{\"id\":\"b\",\"n\":2}");
    Answer merged = api.post("/generic/" + store + "/merge-wal");
    assertThat(merged.status()).as("%s", merged).isEqualTo(200);
    assertThat(merged.json()).isEqualTo(Map.of("reclaimed", 2L));
    assertThat(api.post("/generic/" + store + "/merge-wal").json())
        .isEqualTo(Map.of("reclaimed", 0L));
    assertThat(api.get("/generic/" + store + "/rows?limit=9").json())
        .isEqualTo(rows(row("a", 1), row("b", 2)));
  }

  @Test
  void everyTypeComesBack() {
    String store =
        api.createStore(
            "[\"s\",{\"type\":\"string\",\"large\":true}]",
            "[\"i\",{\"type\":\"int32\"}]",
            "[\"l\",{\"type\":\"int64\"}]",
            "[\"f\",{\"type\":\"float32\"}]",
            "[\"d\",{\"type\":\"float64\"}]",
            "[\"b\",{\"type\":\"bool\"}]",
            "[\"t\",{\"type\":\"timestamp\"}]",
            "[\"bin\",{\"type\":\"binary\"}]",
            "[\"blob\",{\"type\":\"binary\",\"blob\":true}]",
            "[\"v\",{\"type\":\"vector\",\"dim\":2,\"metric\":\"cosine\"}]",
            "[\"li\",{\"type\":\"list\",\"item\":\"int64\"}]");
    Answer appended =
        api.append(
            store,
            "{\"id\":\"a\",\"s\":\"\\u0000雪😀\",\"i\":-2147483648,\"l\":9223372036854775807,"
                + "\"f\":0.5,\"d\":-1.25,\"b\":false,\"t\":\"1970-01-01T00:00:01.5Z\","
                + "\"bin\":[0,255],\"blob\":\"AP8=\",\"v\":[1,-0.5],\"li\":[1,null,3]}");
    assertThat(appended.status()).as("%s", appended).isEqualTo(201);
    for (String step : List.of("memtable", "flush", "merge-wal")) {
      if (!step.equals("memtable")) {
        api.post("/generic/" + store + "/" + step);
      }
      Map<?, ?> row = (Map<?, ?>) api.get("/generic/" + store + "/rows/a").json();
      assertThat(row.get("s")).as(step).isEqualTo("\u0000雪😀");
      assertThat(row.get("i")).as(step).isEqualTo(-2147483648L);
      assertThat(row.get("l")).as(step).isEqualTo(Long.MAX_VALUE);
      assertThat(((Number) row.get("f")).doubleValue()).as(step).isEqualTo(0.5);
      assertThat(((Number) row.get("d")).doubleValue()).as(step).isEqualTo(-1.25);
      assertThat(row.get("b")).as(step).isEqualTo(false);
      assertThat(row.get("t")).as(step).isEqualTo(1_500_000L);
      assertThat(row.get("bin")).as(step).isEqualTo("AP8=");
      assertThat(row.containsKey("blob")).as(step).isFalse();
      assertThat(Api.list(row.get("v")))
          .as(step)
          .extracting(number -> ((Number) number).doubleValue())
          .isEqualTo(List.of(1.0, -0.5));
      assertThat(Api.list(row.get("li"))).as(step).containsExactly(1L, null, 3L);
      assertThat(api.get("/generic/" + store + "/rows/a?columns=blob").json())
          .as(step)
          .isEqualTo(Map.of("blob", "AP8="));
    }
  }

  @Test
  void headAnswersWithoutABody() {
    String store = api.createStore(N);
    Answer head = api.send("HEAD", "/generic/" + store + "/rows", Optional.empty());
    assertThat(head.status()).isEqualTo(200);
    assertThat(head.body()).isEmpty();
  }

  private static Map<String, Object> row(String id, long n) {
    return Map.of("id", id, "n", n);
  }

  private static Map<String, Object> rows(Object... rows) {
    return Map.of("rows", List.of(rows));
  }
}
