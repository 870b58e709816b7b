package io.contextstore.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.contextstore.it.Api.Answer;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What is wrong with a request is answered with the status, code and place, and changes nothing.
 */
@ExtendWith(ServerUnderTest.class)
class BadInputIT {
  private static final String ID = "[\"id\",{\"type\":\"string\",\"nullable\":false}]";
  private static final String N = "[\"n\",{\"type\":\"int64\"}]";
  private static final int MIB = 1 << 20;

  private URI server;
  private Api api;

  @BeforeEach
  void connect(URI server) {
    this.server = server;
    api = new Api(server);
  }

  @AfterEach
  void disconnect() {
    api.close();
  }

  private static void assertError(Answer answer, int status, String code, String... words) {
    assertThat(answer.status()).as("%s", answer).isEqualTo(status);
    assertThat(answer.header("Content-Type")).hasValue("application/json");
    assertThat(((Map<?, ?>) answer.json()).keySet()).isEqualTo(Set.of("error"));
    assertThat(answer.errorCode()).as("%s", answer).isEqualTo(code);
    assertThat(answer.errorMessage()).isNotBlank();
    assertThat(words).allSatisfy(word -> assertThat(answer.errorMessage()).contains(word));
  }

  private static void assertInvalid(Answer answer, String... words) {
    assertError(answer, 400, "INVALID_REQUEST", words);
  }

  // --- schemas

  @ParameterizedTest
  @ValueSource(
      strings = {
        "null",
        "[]",
        "{}",
        "{\"columns\":[]}",
        "{\"columns\":{}}",
        "{\"columns\":[\"id\"]}",
        "{\"columns\":[[\"id\"]]}",
        "{\"columns\":[[\"n\",{\"type\":\"int64\"}]]}",
        "{\"columns\":[[\"id\",{\"type\":\"string\"}]]}",
        "{\"columns\":[[\"id\",{\"type\":\"int64\",\"nullable\":false}]]}",
        "{\"columns\":[[\"id\",{\"type\":\"string\",\"nullable\":false,\"large\":true}]]}",
        "{\"columns\":[" + ID + "],\"extra\":1}",
        "{\"columns\":[" + ID + "," + ID + "]}",
        "{\"columns\":[" + ID + ",[\"_x\",{\"type\":\"int64\"}]]}",
        "{\"columns\":[" + ID + ",[\"\",{\"type\":\"int64\"}]]}",
        "{\"columns\":[" + ID + ",[\"a\\u0000\",{\"type\":\"int64\"}]]}",
        "{\"columns\":[" + ID + ",[\"😀\",{\"type\":\"int64\"}]]}",
        "{\"columns\":[" + ID + ",[\"x\",{\"type\":\"int128\"}]]}",
        "{\"columns\":[" + ID + ",[\"x\",{\"type\":\"int64\",\"nulable\":true}]]}",
        "{\"columns\":[" + ID + ",[\"x\",{\"type\":\"int64\",\"nullable\":1}]]}",
        "{\"columns\":[" + ID + ",[\"x\",{\"type\":\"vector\"}]]}",
        "{\"columns\":[" + ID + ",[\"x\",{\"type\":\"vector\",\"dim\":0}]]}",
        "{\"columns\":[" + ID + ",[\"x\",{\"type\":\"vector\",\"dim\":1e999999999}]]}",
        "{\"columns\":[" + ID + ",[\"x\",{\"type\":\"vector\",\"dim\":2,\"metric\":\"l1\"}]]}",
        "{\"columns\":[" + ID + ",[\"x\",{\"type\":\"list\"}]]}",
        "{\"columns\":[" + ID + ",[\"x\",{\"type\":\"list\",\"item\":\"vector\"}]]}"
      })
  void schemas(String schema) {
    String name = Api.newName();
    assertInvalid(api.post("/generic", "{\"name\":\"" + name + "\",\"schema\":" + schema + "}"));
    assertError(api.get("/generic/" + name), 404, "NOT_FOUND", name);
  }

  @Test
  void tooManyColumns() {
    String[] columns =
        IntStream.range(0, 1024)
            .mapToObj(i -> "[\"c" + i + "\",{\"type\":\"int64\"}]")
            .toArray(String[]::new);
    assertInvalid(api.post("/generic", Api.newStore(Api.newName(), columns)), "1024");
  }

  // --- stores

  @ParameterizedTest
  @ValueSource(strings = {"", ".a", "-a", "a b", "a/b", "雪", "_registry", "_stats", "a:b"})
  void names(String name) {
    assertInvalid(api.post("/generic", Api.newStore(name, N)));
    if (!name.isEmpty()) {
      assertInvalid(api.get("/generic/" + Api.encode(name)));
      assertInvalid(api.delete("/generic/" + Api.encode(name)));
      assertInvalid(api.append(Api.encode(name)));
    }
  }

  @Test
  void longNames() {
    assertInvalid(api.post("/generic", Api.newStore("n".repeat(129), N)));
  }

  @Test
  void aTakenName() {
    String store = api.createStore(N);
    Answer before = api.get("/generic/" + store);
    assertError(
        api.post("/generic", Api.newStore(store, "[\"m\",{\"type\":\"string\"}]")),
        409,
        "ALREADY_EXISTS",
        store);
    assertThat(api.get("/generic/" + store).json()).isEqualTo(before.json());
  }

  @Test
  void anUnknownStore() {
    String store = "/generic/" + Api.newName();
    for (Answer answer :
        List.of(
            api.get(store),
            api.delete(store),
            api.post(store + "/rows", "{\"rows\":[{\"id\":\"a\"}]}"),
            api.get(store + "/rows"),
            api.get(store + "/rows?filter=" + Api.encode("n = 1")),
            api.get(store + "/rows/a"),
            api.post(store + "/get-rows", "{\"ids\":[\"a\"]}"),
            api.post(store + "/flush"),
            api.post(store + "/merge-wal"))) {
      assertError(answer, 404, "NOT_FOUND");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "null",
        "[]",
        "{",
        "{}",
        "{} {}",
        "{\"name\":1,\"schema\":{\"columns\":[" + ID + "]}}",
        "{\"name\":\"x\"}",
        "{\"name\":\"x\",\"name\":\"y\",\"schema\":{\"columns\":[" + ID + "]}}",
        "{\"name\":\"x\",\"schema\":{\"columns\":[" + ID + "]},\"seal_on_ad\":true}",
        "{\"name\":\"x\",\"schema\":{\"columns\":[" + ID + "]},\"seal_on_add\":1}",
        "{\"name\":\"x\",\"schema\":{\"columns\":[" + ID + "]},\"storage_options\":[]}",
        "{\"name\":\"x\",\"schema\":{\"columns\":[" + ID + "]},\"storage_options\":{\"k\":1}}"
      })
  void newStores(String body) {
    assertInvalid(api.post("/generic", body));
  }

  // --- rows

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{\"id\":\"x\",\"n\":\"1\"} | 'n'",
        "{\"id\":\"x\",\"n\":1.5} | 'n'",
        "{\"id\":\"x\",\"n\":9223372036854775808} | 'n'",
        "{\"id\":\"x\",\"i\":2147483648} | 'i'",
        "{\"id\":\"x\",\"f\":\"NaN\"} | 'f'",
        "{\"id\":\"x\",\"b\":1} | 'b'",
        "{\"id\":\"x\",\"t\":\"yesterday\"} | 't'",
        "{\"id\":\"x\",\"bin\":\"***\"} | 'bin'",
        "{\"id\":\"x\",\"bin\":[256]} | 'bin'",
        "{\"id\":\"x\",\"v\":[1]} | 'v'",
        "{\"id\":\"x\",\"v\":[1,2,3]} | 'v'",
        "{\"id\":\"x\",\"l\":[\"a\"]} | 'l'",
        "{\"id\":\"x\",\"l\":1} | 'l'",
        "{\"id\":\"x\",\"undeclared\":1} | 'undeclared'",
        "{\"id\":\"x\",\"req\":null} | 'req'",
        "{\"id\":null} | 'id'",
        "{\"id\":1} | 'id'",
        "{\"n\":1} | 'id'",
        "{} | 'id'",
        "null | row 1",
        "[] | row 1"
      })
  void rows(String row, String word) {
    String store =
        api.createStore(
            N,
            "[\"req\",{\"type\":\"bool\",\"nullable\":false}]",
            "[\"i\",{\"type\":\"int32\"}]",
            "[\"f\",{\"type\":\"float32\"}]",
            "[\"b\",{\"type\":\"bool\"}]",
            "[\"t\",{\"type\":\"timestamp\"}]",
            "[\"bin\",{\"type\":\"binary\"}]",
            "[\"v\",{\"type\":\"vector\",\"dim\":2}]",
            "[\"l\",{\"type\":\"list\",\"item\":\"int64\"}]");
    String good = "{\"id\":\"good\",\"req\":true}";
    // All that is wrong is what the case says: the required column is there unless it is the case.
    String bad = row.contains("req") ? row : row.replaceFirst("}$", ",\"req\":true}");
    assertInvalid(api.append(store, good, bad.replace("{,", "{"), good), "row 1", word);
    assertThat(api.get("/generic/" + store + "/rows").json()).isEqualTo(Map.of("rows", List.of()));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "{",
        "[]",
        "null",
        "{}",
        "{\"rows\":{}}",
        "{\"rows\":null}",
        "{\"rows\":[{\"id\":\"a\"}]",
        "{\"rows\":[{\"id\":\"a\"},]}",
        "{\"rows\":[{\"id\":\"a\"}]} x",
        "{\"rows\":[{\"id\":\"a\"}],\"extra\":1}",
        "{\"rows\":[{\"id\":\"a\"}],\"rows\":[]}",
        "{\"rows\":[{\"id\":\"a\",\"id\":\"b\"}]}",
        "{\"rows\":[{\"id\":\"a\",\"n\":01}]}",
        "{\"rows\":[{\"id\":\"a\",\"n\":NaN}]}"
      })
  void appends(String body) {
    String store = api.createStore(N);
    assertInvalid(api.post("/generic/" + store + "/rows", body));
    assertThat(api.get("/generic/" + store + "/rows").json()).isEqualTo(Map.of("rows", List.of()));
  }

  @Test
  void bytesThatAreNotUtf8() throws IOException {
    String store = api.createStore(N);
    byte[] body = "{\"rows\":[{\"id\":\"a?\"}]}".getBytes(StandardCharsets.UTF_8);
    for (int i = 0; i < body.length; i++) {
      if (body[i] == '?') {
        body[i] = (byte) 0xff;
      }
    }
    assertThat(raw("/generic/" + store + "/rows", body.length, body))
        .startsWith("HTTP/1.1 400")
        .contains("INVALID_REQUEST");
    assertThat(api.get("/generic/" + store + "/rows").json()).isEqualTo(Map.of("rows", List.of()));
  }

  // --- queries

  @ParameterizedTest
  @ValueSource(
      strings = {
        "limit=-1",
        "limit=x",
        "limit=1.5",
        "limit=",
        "limit",
        "limit=99999999999999999999",
        "limit=1&limit=2",
        "offset=-1",
        "columns=",
        "columns=n,",
        "columns=n,n",
        "columns=nope",
        "lmit=1",
        "filter=",
        "filter=%FF",
        "filter=%zz"
      })
  void queries(String query) {
    String store = api.createStore(N);
    // Not through URI, which would refuse some of them itself.
    assertThat(rawGet("/generic/" + store + "/rows?" + query))
        .startsWith("HTTP/1.1 400")
        .contains("{\"error\":{\"code\":\"INVALID_REQUEST\"");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "n =",
        "n = 1 AND",
        "nope = 1",
        "n = 'x",
        "n = 1; DROP TABLE x",
        "n = 1 -- all",
        "n = 1 /* all */",
        "(SELECT 1) = n",
        "n IN (SELECT 1)",
        "_rowid = 1",
        "_rowaddr > 0",
        "1",
        "n + 1",
        "nosuchfunction(n) = 1",
        "n = 1/0",
        "((((((((((((((((((((((((((((((((((n = 1))))))))))))))))))))))))))))))))))"
      })
  void filters(String filter) {
    String store = api.createStore(N);
    api.append(store, "{\"id\":\"a\",\"n\":1}");
    assertInvalid(api.get("/generic/" + store + "/rows?filter=" + Api.encode(filter)));
  }

  @Test
  void hugeFilters() {
    String store = api.createStore(N);
    String terms = "n = 1" + " OR n = 1".repeat(400);
    assertInvalid(api.get("/generic/" + store + "/rows?filter=" + Api.encode(terms)));
    String text = "id = '" + "x".repeat(8 << 10) + "'";
    assertInvalid(api.get("/generic/" + store + "/rows?filter=" + Api.encode(text)));
    assertThat(api.get("/health").status()).isEqualTo(200);
  }

  @Test
  void filtersOfTheLargestSizeFit() {
    String store = api.createStore(N);
    String filter = "id = '" + "雪".repeat(2700) + "'";
    assertThat(api.get("/generic/" + store + "/rows?filter=" + Api.encode(filter)).json())
        .isEqualTo(Map.of("rows", List.of()));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "{}",
        "{\"ids\":null}",
        "{\"ids\":\"a\"}",
        "{\"ids\":[1]}",
        "{\"ids\":[null]}",
        "{\"ids\":[\"a\"],\"column\":[\"n\"]}",
        "{\"ids\":[\"a\"],\"columns\":\"n\"}",
        "{\"ids\":[\"a\"],\"columns\":[\"nope\"]}",
        "{\"ids\":[\"a\"],\"columns\":[\"n\",\"n\"]}"
      })
  void getRows(String body) {
    String store = api.createStore(N);
    assertInvalid(api.post("/generic/" + store + "/get-rows", body));
  }

  @Test
  void tooManyIds() {
    String store = "/generic/" + api.createStore(N) + "/get-rows";
    List<String> ids = IntStream.range(0, 1025).mapToObj(i -> "\"" + i + "\"").toList();
    assertInvalid(api.post(store, "{\"ids\":" + ids + "}"), "1024");
    assertThat(api.post(store, "{\"ids\":" + ids.subList(0, 1024) + "}").status()).isEqualTo(200);
  }

  // --- media types, methods, routes

  @ParameterizedTest
  @ValueSource(
      strings = {
        "text/plain",
        "application/x-www-form-urlencoded",
        "application/x-ndjson",
        "application/json; charset=utf-16",
        "application/json; charset=iso-8859-1"
      })
  void mediaTypes(String type) {
    String store = api.createStore(N);
    for (String path :
        List.of("/generic", "/generic/" + store + "/rows", "/generic/" + store + "/get-rows")) {
      assertError(
          api.send("POST", path, Optional.of("{\"rows\":[]}"), "Content-Type", type),
          415,
          "UNSUPPORTED_MEDIA_TYPE");
    }
  }

  @Test
  void noMediaType() {
    assertError(api.send("POST", "/generic", Optional.of("{}")), 415, "UNSUPPORTED_MEDIA_TYPE");
  }

  @Test
  void anEncodedBody() {
    String store = api.createStore(N);
    assertError(
        api.send(
            "POST",
            "/generic/" + store + "/rows",
            Optional.of("{\"rows\":[]}"),
            "Content-Type",
            "application/json",
            "Content-Encoding",
            "gzip"),
        415,
        "UNSUPPORTED_MEDIA_TYPE");
  }

  @Test
  void utf8IsTheSameAsNothing() {
    String store = api.createStore(N);
    assertThat(
            api.send(
                    "POST",
                    "/generic/" + store + "/rows",
                    Optional.of("{\"rows\":[]}"),
                    "Content-Type",
                    "application/json;charset=UTF-8")
                .status())
        .isEqualTo(201);
  }

  @Test
  void answersThatNobodyWants() {
    String store = api.createStore(N);
    for (String accept : List.of("text/html", "application/x-ndjson")) {
      assertError(
          api.send("GET", "/generic/" + store + "/rows", Optional.empty(), "Accept", accept),
          406,
          "NOT_ACCEPTABLE");
    }
    for (String accept : List.of("*/*", "application/*", "text/html, application/json;q=0.1")) {
      assertThat(
              api.send("GET", "/generic/" + store + "/rows", Optional.empty(), "Accept", accept)
                  .status())
          .as(accept)
          .isEqualTo(200);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"/nope", "/generics", "/generic/", "/generic/a/nope", "//generic"})
  void routes(String path) {
    assertError(api.get(path), 404, "NOT_FOUND");
  }

  @Test
  void methods() {
    Answer answer = api.send("PATCH", "/generic", Optional.of("{}"));
    assertError(answer, 405, "METHOD_NOT_ALLOWED");
    assertThat(answer.header("Allow").orElseThrow().split(", ")).contains("GET", "POST");
    assertError(api.send("GET", "/generic/a/flush", Optional.empty()), 405, "METHOD_NOT_ALLOWED");
  }

  @Test
  void whatIsPlannedSaysSo() {
    String store = api.createStore(N);
    String rows = "/generic/" + store + "/rows";
    for (Answer answer :
        List.of(
            api.get(rows + "?after=a"),
            api.get(rows + "?order=id"),
            api.post(rows + "?if_absent=true", "{\"rows\":[]}"),
            api.delete(rows + "/a"),
            api.send("PUT", rows + "/a", Optional.of("{}"), "Content-Type", "application/json"),
            api.post("/generic/" + store + "/delete-rows", "{\"ids\":[]}"),
            api.get("/generic/" + store + "/count"),
            api.get("/generic/" + store + "/stats"),
            api.get("/rollouts"),
            api.post("/rollouts/a/records", "{}"))) {
      assertError(answer, 501, "NOT_IMPLEMENTED");
    }
  }

  @Test
  void aRowThatIsNotThere() {
    String store = api.createStore(N);
    assertError(api.get("/generic/" + store + "/rows/nope"), 404, "NOT_FOUND");
  }

  // --- sizes and broken uploads

  @Test
  void objectsOverTheirLimit() {
    String store = api.createStore(N);
    String body = "{\"ids\":[\"a\"]" + " ".repeat(2 * MIB) + "}";
    assertError(api.post("/generic/" + store + "/get-rows", body), 413, "TOO_LARGE");
    assertError(api.post("/generic", body), 413, "TOO_LARGE");
  }

  @Test
  void rowsOverTheirLimitAreRefusedWithoutReading() throws IOException {
    String store = api.createStore(N);
    assertThat(raw("/generic/" + store + "/rows", (1L << 30) + 1, new byte[0]))
        .startsWith("HTTP/1.1 413")
        .contains("{\"error\":{\"code\":\"TOO_LARGE\"");
    assertThat(raw("/generic/" + store + "/rows", 1L << 40, new byte[0]))
        .startsWith("HTTP/1.1 413");
  }

  @Test
  void anUploadThatBreaksOffWritesNothing() throws IOException {
    String store = api.createStore(N);
    byte[] whole = "{\"rows\":[{\"id\":\"a\",\"n\":1}]}".getBytes(StandardCharsets.UTF_8);
    // Whole JSON, but shorter than it was said to be.
    raw("/generic/" + store + "/rows", whole.length + 10, whole);
    raw("/generic/" + store + "/rows", whole.length, new byte[] {'{'});
    assertThat(api.get("/generic/" + store + "/rows").json()).isEqualTo(Map.of("rows", List.of()));
    assertThat(api.append(store, "{\"id\":\"a\",\"n\":1}").status()).isEqualTo(201);
  }

  /** Sends a head that promises {@code length} bytes, then {@code body}, then no more. */
  private String raw(String path, long length, byte[] body) throws IOException {
    return exchange(
        "POST /api/v1"
            + path
            + " HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: "
            + length
            + "\r\n\r\n",
        body);
  }

  private String rawGet(String path) {
    try {
      return exchange(
          "GET /api/v1" + path + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n",
          new byte[0]);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  /** What the server sends until it closes the connection. */
  private String exchange(String head, byte[] body) throws IOException {
    try (Socket socket = new Socket(InetAddress.getByName(server.getHost()), server.getPort())) {
      socket.setSoTimeout(30_000);
      socket.getOutputStream().write(head.getBytes(StandardCharsets.US_ASCII));
      socket.getOutputStream().write(body);
      socket.shutdownOutput();
      InputStream in = socket.getInputStream();
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
