package io.contextstore.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.contextstore.it.Api.Answer;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Any id works in a path when it is percent-encoded, whatever the server has in front. */
@ExtendWith(ServerUnderTest.class)
class RowIdsIT {
  private static final List<String> IDS =
      List.of(
          "a",
          "a/b",
          "/",
          "//",
          "a//b",
          "/a/",
          "a/./b",
          "a/../b",
          "a\\b",
          "\\",
          "雪",
          "😀",
          "e\u0301",
          "\u00e9",
          "a b",
          " ",
          "a+b",
          "a%b",
          "%2F",
          "%",
          "a;b=c",
          "a?b",
          "a#b",
          "a&b=c",
          "a,b",
          "a:b",
          "a'b",
          "a\"b",
          "a'' OR ''1''=''1",
          "{a}",
          "[a]",
          "<a>",
          "a|b",
          "a^b`c",
          "~",
          "*",
          "...",
          "rows",
          "get-rows",
          "\n",
          "\u0001\u001f\u007f",
          "\u00a0",
          "\u202e",
          "\ufeff",
          "\uffff",
          "\ue000",
          "\ud800\udc00",
          "null",
          "x".repeat(1024),
          "雪".repeat(341));

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
  void everyIdIsFoundByItsPath() {
    String store = api.createStore("[\"n\",{\"type\":\"int64\"}]");
    String[] rows = new String[IDS.size()];
    for (int i = 0; i < rows.length; i++) {
      rows[i] = "{\"id\":" + quote(IDS.get(i)) + ",\"n\":" + i + "}";
    }
    assertThat(api.append(store, rows).member("count")).isEqualTo((long) rows.length);

    for (String step : List.of("memtable", "flush", "merge-wal")) {
      if (!step.equals("memtable")) {
        assertThat(api.post("/generic/" + store + "/" + step).status()).isLessThan(300);
      }
      for (int i = 0; i < rows.length; i++) {
        Answer answer = api.get("/generic/" + store + "/rows/" + Api.encode(IDS.get(i)));
        assertThat(answer.status())
            .as("%s, id %s: %s", step, quote(IDS.get(i)), answer)
            .isEqualTo(200);
        assertThat(answer.json()).isEqualTo(Map.of("id", IDS.get(i), "n", (long) i));
      }
    }
  }

  @Test
  void idsThatAPathCannotNameAreFoundByGetRows() {
    List<String> ids = List.of(".", "..", "../../../../x", "../../../../../openapi");
    String store = api.createStore();
    api.append(store, ids.stream().map(id -> "{\"id\":" + quote(id) + "}").toArray(String[]::new));

    assertThat(
            api.post(
                    "/generic/" + store + "/get-rows",
                    "{\"ids\":" + ids.stream().map(RowIdsIT::quote).toList() + "}")
                .json())
        .isEqualTo(Map.of("rows", ids.stream().map(id -> Map.of("id", id)).toList()));
    for (String path : List.of(".", "..", "%2E", "%2e%2e")) {
      assertThat(api.get("/generic/" + store + "/rows/" + path).status()).as(path).isEqualTo(400);
    }
    for (String id : ids.subList(2, ids.size())) {
      Answer answer = api.get("/generic/" + store + "/rows/" + Api.encode(id));
      assertThat(answer.status()).as(id).isEqualTo(400);
      assertThat(answer.errorMessage()).contains("get-rows");
    }
  }

  @Test
  void idsThatCannotBeAreRefused() {
    String store = api.createStore();
    Stream.of("x".repeat(1025), "雪".repeat(342))
        .forEach(
            id -> {
              Answer got = api.get("/generic/" + store + "/rows/" + Api.encode(id));
              assertThat(got.status()).isEqualTo(400);
              assertThat(got.errorCode()).isEqualTo("INVALID_REQUEST");
            });
    for (String id : List.of("", "\\u0000", "a\\u0000b", "\\ud800", "\\udc00\\ud800")) {
      String json = "\"" + id + "\"";
      Answer appended = api.append(store, "{\"id\":\"good\"}", "{\"id\":" + json + "}");
      assertThat(appended.status()).as(json).isEqualTo(400);
      assertThat(appended.errorMessage()).as(json).contains("row 1", "'id'");
      Answer many = api.post("/generic/" + store + "/get-rows", "{\"ids\":[\"a\"," + json + "]}");
      assertThat(many.status()).as(json).isEqualTo(400);
      assertThat(many.errorMessage()).as(json).contains("ids[1]");
    }
    assertThat(api.get("/generic/" + store + "/rows").json()).isEqualTo(Map.of("rows", List.of()));
  }

  private static String quote(String text) {
    StringBuilder json = new StringBuilder("\"");
    text.chars().forEach(c -> json.append("\\u%04x".formatted(c)));
    return json.append('"').toString();
  }
}
