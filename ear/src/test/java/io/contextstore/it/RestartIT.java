package io.contextstore.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.contextstore.it.Api.Answer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Kills the server while many write: after the restart, and before anything else is written, every
 * row that was acknowledged is there, and of a request that was not all rows or none.
 */
class RestartIT {
  private static final int WRITERS = 8;
  private static final int ROWS_A_REQUEST = 3;
  private static final int REQUESTS_BEFORE_THE_KILL = 1500;

  /** What the server is asked for while the writers go on, before it is killed. */
  private static final List<String> CYCLES = List.of("", "flush", "merge-wal");

  @Test
  void everyAcknowledgedRowSurvivesAKill(@TempDir Path dir) throws InterruptedException {
    try (RunnableJar server =
            RunnableJar.start(dir.resolve("data"), RunnableJar.QUICK_START, List.of());
        Api api = new Api(server.baseUri())) {
      String store = api.createStore("[\"n\",{\"type\":\"int64\"}]");
      Expected expected = new Expected();
      for (int cycle = 0; cycle < CYCLES.size(); cycle++) {
        writeUntilKilled(server, store, expected, cycle);
        server.restart();
        check(api, store, expected);
      }
      for (String step : List.of("flush", "merge-wal")) {
        assertThat(api.post("/generic/" + store + "/" + step).status()).isBetween(200, 204);
        check(api, store, expected);
      }
      assertThat(api.append(store, "{\"id\":\"last\",\"n\":1}").status()).isEqualTo(201);
      System.out.printf(
          "RestartIT: %d kills, %d acknowledged rows, none lost%n",
          CYCLES.size(), expected.acknowledged.size());
    }
  }

  private static void writeUntilKilled(
      RunnableJar server, String store, Expected expected, int cycle) throws InterruptedException {
    AtomicInteger acknowledged = new AtomicInteger();
    List<Thread> writers =
        IntStream.range(0, WRITERS)
            .mapToObj(
                writer ->
                    Thread.ofVirtual()
                        .start(() -> write(server, store, expected, cycle, writer, acknowledged)))
            .toList();
    awaitAtLeast(acknowledged, REQUESTS_BEFORE_THE_KILL / 2, writers);
    String call = CYCLES.get(cycle);
    if (!call.isEmpty()) {
      try (Api api = new Api(server.baseUri())) {
        Answer answer = api.post("/generic/" + store + "/" + call);
        assertThat(answer.status()).as("%s", answer).isBetween(200, 204);
      }
    }
    awaitAtLeast(acknowledged, REQUESTS_BEFORE_THE_KILL, writers);
    server.kill();
    for (Thread writer : writers) {
      writer.join();
    }
    assertThat(expected.refusals).isEmpty();
  }

  private static void awaitAtLeast(AtomicInteger counter, int count, List<Thread> writers)
      throws InterruptedException {
    while (counter.get() < count) {
      assertThat(writers).anyMatch(Thread::isAlive);
      // Polls: what it waits for happens in another process.
      Thread.sleep(5);
    }
  }

  /** New keys in each request, and one key of the writer's that each request replaces. */
  private static void write(
      RunnableJar server,
      String store,
      Expected expected,
      int cycle,
      int writer,
      AtomicInteger acknowledged) {
    try (Api api = new Api(server.baseUri())) {
      for (long n = cycle * 1_000_000L; ; n++) {
        Map<String, Long> rows = new HashMap<>();
        for (int i = 1; i < ROWS_A_REQUEST; i++) {
          rows.put("new-" + writer + "-" + n + "-" + i, n);
        }
        rows.put("replaced-" + writer, n);
        expected.attempt(rows);
        Answer answer;
        try {
          answer =
              api.append(
                  store,
                  rows.entrySet().stream()
                      .map(row -> "{\"id\":\"" + row.getKey() + "\",\"n\":" + row.getValue() + "}")
                      .toArray(String[]::new));
        } catch (AssertionError connectionLost) {
          return;
        }
        if (answer.status() != 201) {
          expected.refusals.add(answer);
          return;
        }
        expected.acknowledge(rows);
        acknowledged.incrementAndGet();
      }
    }
  }

  private static void check(Api api, String store, Expected expected) {
    Map<String, Long> listed = rows(api.get("/generic/" + store + "/rows"));
    expected.settle(listed);

    List<String> ids = List.copyOf(listed.keySet());
    Map<String, Long> byKeys = new HashMap<>();
    for (int from = 0; from < ids.size(); from += 1000) {
      String wanted =
          ids.subList(from, Math.min(ids.size(), from + 1000)).stream()
              .map(id -> '"' + id + '"')
              .collect(Collectors.joining(",", "{\"ids\":[", "]}"));
      byKeys.putAll(rows(api.post("/generic/" + store + "/get-rows", wanted)));
    }
    assertThat(byKeys).isEqualTo(listed);

    for (int i = 0; i < ids.size(); i += 1 + ids.size() / 100) {
      assertThat(api.get("/generic/" + store + "/rows/" + ids.get(i)).member("n"))
          .isEqualTo(listed.get(ids.get(i)));
    }
    assertThat(rows(api.get("/generic/" + store + "/rows?filter=id%20LIKE%20'replaced-%25'")))
        .hasSize(WRITERS)
        .allSatisfy((id, n) -> assertThat(listed).containsEntry(id, n));
  }

  private static Map<String, Long> rows(Answer answer) {
    assertThat(answer.status()).as("%s", answer).isEqualTo(200);
    Map<String, Long> rows = new HashMap<>();
    for (Object row : Api.list(answer.member("rows"))) {
      Map<?, ?> values = (Map<?, ?>) row;
      assertThat(rows.put((String) values.get("id"), (Long) values.get("n"))).isNull();
    }
    return rows;
  }

  /** What the store must hold, and what it may hold besides: requests without an answer. */
  private static final class Expected {
    final Map<String, Long> acknowledged = new ConcurrentHashMap<>();
    final Queue<Answer> refusals = new ConcurrentLinkedQueue<>();
    private final Set<Map<String, Long>> open = ConcurrentHashMap.newKeySet();

    void attempt(Map<String, Long> rows) {
      open.add(rows);
    }

    void acknowledge(Map<String, Long> rows) {
      acknowledged.putAll(rows);
      open.remove(rows);
    }

    /** Finds out what became of the open requests; the store holds then exactly the rest. */
    void settle(Map<String, Long> found) {
      for (Map<String, Long> request : List.copyOf(open)) {
        List<Boolean> there = new ArrayList<>();
        request.forEach((id, n) -> there.add(n.equals(found.get(id))));
        assertThat(new TreeSet<>(there))
            .as("all rows of a request or none: %s", request)
            .hasSize(1);
        if (there.getFirst()) {
          acknowledged.putAll(request);
        }
        open.remove(request);
      }
      assertThat(found).isEqualTo(acknowledged);
    }
  }
}
