package io.contextstore.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.contextstore.it.Api.Answer;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * More than 200,000 rows over HTTP, read back before and after a merge and after a kill. Once the
 * real tables of the README's example, which also opens them in LanceDB; that needs Node.js and the
 * npm registry. Once generated rows, which need nothing.
 */
class RealDataIT {
  private static final Path EXAMPLE = Path.of("src", "examples", "real-data");

  /** Kept between builds: npm then has less to do. */
  private static final Path WORK = Path.of("target", "real-data");

  private static final int GENERATED = 200_000;
  private static final int ROWS_A_REQUEST = 5_000;

  @TempDir static Path dir;
  private static RunnableJar server;
  private static Api api;

  @BeforeAll
  static void start() {
    server = RunnableJar.start(dir.resolve("data"));
    api = new Api(server.baseUri());
  }

  @AfterAll
  static void stop() {
    api.close();
    server.close();
  }

  @Test
  void realTables() throws IOException {
    if (!Node.isThere()) {
      String skipped =
          "No Node.js 20 or newer with npm on the PATH: skipped are the example with real data"
              + " and the opening of the tables in LanceDB.";
      System.out.println("RealDataIT: " + skipped);
      Assumptions.abort(skipped);
    }
    copyExample();
    Node.run(WORK, "npm", "ci", "--no-audit", "--no-fund");

    String loaded = Node.run(WORK, "node", "load.mjs", server.baseUri().toString());
    assertThat(loaded).contains("flights: 200000 rows", "Loaded and checked 228690 rows");
    System.out.println("RealDataIT: " + loaded.lines().toList().getLast());
    assertLanceDbSeesTheSame();

    List<Flight> flights = flights();
    assertThat(flights).hasSize(200_000);
    assertFlights(flights);

    // One row replaced and one new, neither of them merged at the kill.
    Flight changed = new Flight("000000", -1, 1);
    Flight added = new Flight("added", 2000, 2);
    assertThat(api.append("flights", changed.json(), added.json()).status()).isEqualTo(201);
    flights.set(0, changed);
    flights.add(added);
    assertFlights(flights);
    server.kill();
    server.restart();
    assertFlights(flights);
    assertOtherTables();

    // The Lance table alone lags until it is merged.
    assertThat(api.post("/generic/flights/merge-wal").status()).isEqualTo(200);
    assertFlights(flights);
    assertThat(api.delete("/generic/flights").status()).isEqualTo(204);
  }

  private static void copyExample() throws IOException {
    Files.createDirectories(WORK);
    try (DirectoryStream<Path> files = Files.newDirectoryStream(EXAMPLE, "*.{json,mjs}")) {
      for (Path file : files) {
        Files.copy(file, WORK.resolve(file.getFileName()), StandardCopyOption.REPLACE_EXISTING);
      }
    }
  }

  private static void assertLanceDbSeesTheSame() {
    assertThat(Node.run(WORK, "node", "verify-lance.mjs", server.baseUri().toString()).lines())
        .hasSize(6)
        .contains("flights: LanceDB counts 200000 rows, loaded were 200000");
  }

  private record Flight(String id, long delay, long distance) {
    String json() {
      return "{\"id\":\"" + id + "\",\"delay\":" + delay + ",\"distance\":" + distance + "}";
    }
  }

  /** From the package's JSON file; the example loads the Arrow file of the same flights. */
  private static List<Flight> flights() throws IOException {
    List<Flight> flights = new ArrayList<>();
    Path file = WORK.resolve("node_modules/vega-datasets/data/flights-200k.json");
    try (JsonParser json = new JsonFactory().createParser(file.toFile())) {
      long delay = 0;
      long distance = 0;
      for (JsonToken token = json.nextToken(); token != null; token = json.nextToken()) {
        if (token == JsonToken.VALUE_NUMBER_INT && json.currentName().equals("delay")) {
          delay = json.getLongValue();
        } else if (token == JsonToken.VALUE_NUMBER_INT && json.currentName().equals("distance")) {
          distance = json.getLongValue();
        } else if (token == JsonToken.END_OBJECT) {
          flights.add(new Flight("%06d".formatted(flights.size()), delay, distance));
        }
      }
    }
    return flights;
  }

  private static void assertFlights(List<Flight> flights) {
    assertThat(found("flights", "columns=id,delay,distance"))
        .containsExactlyInAnyOrderElementsOf(flights);
    Predicate<Flight> late = flight -> flight.delay() > 1000 && flight.distance() < 1500;
    assertThat(
            found(
                "flights",
                "columns=id,delay,distance&filter="
                    + Api.encode("delay > 1000 AND distance < 1500")))
        .isNotEmpty()
        .containsExactlyInAnyOrderElementsOf(flights.stream().filter(late).toList());
    for (int i : new int[] {0, 1, 77_777, 199_999, flights.size() - 1}) {
      Flight flight = flights.get(i);
      Answer answer = api.get("/generic/flights/rows/" + flight.id() + "?columns=delay,distance");
      assertThat(answer.json())
          .isEqualTo(Map.of("delay", flight.delay(), "distance", flight.distance()));
    }
  }

  private static List<Flight> found(String store, String query) {
    return Api.list(api.get("/generic/" + store + "/rows?" + query).member("rows")).stream()
        .map(row -> (Map<?, ?>) row)
        .map(
            row ->
                new Flight(
                    (String) row.get("id"), (Long) row.get("delay"), (Long) row.get("distance")))
        .collect(Collectors.toList());
  }

  /** A row of each, which has what is dirty in its table. */
  private static void assertOtherTables() {
    assertThat(api.get("/generic/flights-by-date/rows/00000").json())
        .isEqualTo(
            Map.of(
                "id",
                "00000",
                "date",
                978_310_020_000_000L,
                "delay",
                66L,
                "distance",
                1750L,
                "origin",
                "DTW",
                "destination",
                "LAS"));
    assertThat(api.get("/generic/movies/rows/0000").json())
        .isEqualTo(
            Map.of(
                "id",
                "0000",
                "Title",
                "The Land Girls",
                "US Gross",
                146_083L,
                "Worldwide Gross",
                146_083L,
                "Production Budget",
                8_000_000L,
                "Release Date",
                897_609_600_000_000L,
                "MPAA Rating",
                "R",
                "Distributor",
                "Gramercy",
                "IMDB Rating",
                6.1,
                "IMDB Votes",
                1071L));
    assertThat(ids("movies", "Title = '1776'")).hasSize(1);
    assertThat(ids("movies", "Title IS NULL")).hasSize(1);
    assertThat(ids("cars", "Horsepower IS NULL")).hasSize(6);
    assertThat(ids("earthquakes", "time = 1517966773840000")).containsExactly("ci37868143");
    assertThat(ids("airports", "name = 'Union County, Troy Shelton'")).containsExactly("35A");
  }

  private static List<Object> ids(String store, String filter) {
    String query = "?columns=id&filter=" + Api.encode(filter);
    return Api.list(api.get("/generic/" + store + "/rows" + query).member("rows")).stream()
        .<Object>map(row -> ((Map<?, ?>) row).get("id"))
        .toList();
  }

  @Test
  void generatedRows() {
    String store =
        api.createStore(
            "[\"n\",{\"type\":\"int64\"}]",
            "[\"part\",{\"type\":\"float64\"}]",
            "[\"at\",{\"type\":\"timestamp\"}]",
            "[\"text\",{\"type\":\"string\"}]");
    long start = System.nanoTime();
    IntStream.range(0, GENERATED / ROWS_A_REQUEST)
        .parallel()
        .forEach(
            request -> {
              Answer answer =
                  api.append(
                      store,
                      IntStream.range(request * ROWS_A_REQUEST, (request + 1) * ROWS_A_REQUEST)
                          .mapToObj(RealDataIT::generated)
                          .toArray(String[]::new));
              assertThat(answer.member("count")).isEqualTo((long) ROWS_A_REQUEST);
            });
    double seconds = (System.nanoTime() - start) / 1e9;
    System.out.printf(
        "RealDataIT: %d generated rows in %.1f s (%.0f rows/s)%n",
        GENERATED, seconds, GENERATED / seconds);

    assertGenerated(store);
    Answer merged = api.post("/generic/" + store + "/merge-wal");
    assertThat(merged.status()).as("%s", merged).isEqualTo(200);
    assertGenerated(store);
    server.kill();
    server.restart();
    assertGenerated(store);
    assertThat(api.delete("/generic/" + store).status()).isEqualTo(204);
  }

  private static String generated(int n) {
    return "{\"id\":\"row-%06d\",\"n\":%d,\"part\":%s,\"at\":%d%s}"
        .formatted(n, n, n / 8.0, n * 1_000_000L, n % 3 == 0 ? "" : ",\"text\":\"t" + n % 7 + "\"");
  }

  private static void assertGenerated(String store) {
    String rows = "/generic/" + store + "/rows";
    List<Object> all = Api.list(api.get(rows + "?columns=n").member("rows"));
    assertThat(all.stream().mapToLong(row -> (Long) ((Map<?, ?>) row).get("n")).distinct())
        .hasSize(GENERATED);
    assertThat(all).hasSize(GENERATED);

    assertThat(api.get(rows + "/row-123457").json())
        .isEqualTo(
            Map.of(
                "id",
                "row-123457",
                "n",
                123_457L,
                "part",
                15_432.125,
                "at",
                123_457_000_000L,
                "text",
                "t5"));
    assertThat(api.get(rows + "/row-200000").status()).isEqualTo(404);
    assertThat(
            api.post(
                    "/generic/" + store + "/get-rows",
                    "{\"ids\":[\"row-199999\",\"x\",\"row-000000\"],\"columns\":[\"n\"]}")
                .json())
        .isEqualTo(Map.of("rows", List.of(Map.of("n", 199_999L), Map.of("n", 0L))));

    long expected =
        IntStream.range(0, GENERATED).filter(n -> n > 150_000 && n % 3 != 0 && n % 7 == 4).count();
    assertThat(ids(store, "n > 150000 AND text = 't4'")).hasSize((int) expected);
    assertThat(ids(store, "at < '1970-01-01T00:00:10Z' AND text IS NULL"))
        .containsExactlyInAnyOrder("row-000000", "row-000003", "row-000006", "row-000009");
    assertThat(api.get(rows + "?columns=id&limit=2&offset=199998").json())
        .isEqualTo(Map.of("rows", List.of(Map.of("id", "row-199998"), Map.of("id", "row-199999"))));
  }
}
