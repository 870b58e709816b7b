package io.contextstore.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Order, group commit and admission of a writer on a healthy log. */
@Timeout(60)
class LogWriterTest {
  @TempDir Path folder;

  private final ExecutorService pool = Executors.newCachedThreadPool();
  private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();

  @AfterEach
  void stopThreads() throws InterruptedException {
    pool.shutdown();
    timer.shutdownNow();
    assertThat(pool.awaitTermination(10, TimeUnit.SECONDS)).isTrue();
  }

  private LocalLog open(long segmentBytes) {
    return LocalLog.open(
        folder.resolve("log"), Frames.IDENTITY, 1, 0, new LocalLogSettings(segmentBytes));
  }

  private LogWriter<String> writer(WriteAheadLog log, LogListener<String> listener) {
    return new LogWriter<>(log, listener, pool, timer, LogWriterSettings.DEFAULT);
  }

  @Test
  void sixteenThreadsGetEveryLsnOnceInTheOrderOfTheLog() throws Exception {
    int threads = 16;
    int each = 200;
    RecordingListener listener = new RecordingListener();
    ConcurrentHashMap<Long, String> acknowledged = new ConcurrentHashMap<>();
    LocalLog log = open(1 << 20);
    LogWriter<String> writer = writer(log, listener);
    List<Future<?>> clients = new ArrayList<>();
    for (int t = 0; t < threads; t++) {
      String client = "client " + t + " row ";
      clients.add(
          pool.submit(
              () -> {
                long before = 0;
                for (int i = 0; i < each; i++) {
                  String text = client + i;
                  long lsn = writer.submit(FrameKind.ROWS, Frames.body(text), text).get();
                  assertThat(lsn).isGreaterThan(before);
                  assertThat(acknowledged.put(lsn, text)).isNull();
                  before = lsn;
                }
                return null;
              }));
    }
    for (Future<?> client : clients) {
      client.get();
    }
    assertThat(writer.close(Duration.ofSeconds(10))).isEqualTo(CloseOutcome.CLOSED);
    assertThat(log.close(Duration.ZERO)).isEqualTo(CloseOutcome.CLOSED);

    assertThat(acknowledged).hasSize(threads * each);
    assertThat(listener.durable).hasSize(threads * each);
    for (int i = 0; i < listener.durable.size(); i++) {
      assertThat(listener.durable.get(i)).isEqualTo((i + 1) + " " + acknowledged.get(i + 1L));
    }
    LocalLog again = open(1 << 20);
    List<Frames.Read> frames = Frames.readAll(again);
    assertThat(frames).hasSize(threads * each);
    for (Frames.Read frame : frames) {
      assertThat(acknowledged).containsEntry(frame.lsn(), frame.body());
    }
    assertThat(again.close(Duration.ZERO)).isEqualTo(CloseOutcome.CLOSED);
    assertThat(writer.unsettledItems()).isZero();
    assertThat(writer.unsettledBytes()).isZero();
  }

  @Test
  void aSealIsOneEntryOfTheQueueInOrder() throws Exception {
    RecordingListener listener = new RecordingListener();
    InMemoryLog log = new InMemoryLog(1 << 20);
    LogWriter<String> writer = writer(log, listener);

    CompletableFuture<Long> earlier = writer.submit(FrameKind.ROWS, Frames.body("a"), "a");
    CompletableFuture<SealOutcome> seal = writer.seal();
    CompletableFuture<SealOutcome> nothing = writer.seal();
    long later = writer.submit(FrameKind.TOMBSTONES, Frames.body("b"), "b").get();

    assertThat(seal.get())
        .isInstanceOfSatisfying(
            SealOutcome.Sealed.class, done -> assertThat(done.segment().lastLsn()).isEqualTo(1));
    assertThat(nothing.get()).isEqualTo(new SealOutcome.Empty(2));
    assertThat(earlier.get()).isEqualTo(1);
    assertThat(later).isEqualTo(3);
    assertThat(listener.events)
        .containsExactly(
            "admit 1 a", "durable 1 a", "sealed 1, next 2", "admit 3 b", "durable 3 b");
  }

  @Test
  void sealsByItselfWhenTheSegmentIsFull() throws Exception {
    RecordingListener listener = new RecordingListener();
    InMemoryLog log = new InMemoryLog(4096);
    LogWriter<String> writer = writer(log, listener);
    for (int i = 0; i < 10; i++) {
      writer.submit(FrameKind.ROWS, Frames.body("x".repeat(1500)), "").get();
    }
    assertThat(writer.close(Duration.ofSeconds(10))).isEqualTo(CloseOutcome.CLOSED);
    assertThat(log.segments()).hasSize(4);
    assertThat(listener.events).filteredOn(e -> e.startsWith("sealed")).hasSize(3);
  }

  @Test
  void aRejectedFrameTakesNoLsnAndItsFutureFailsWithTheReason() throws Exception {
    IllegalStateException reason = new IllegalStateException("exists");
    RecordingListener listener =
        new RecordingListener() {
          @Override
          public Admission admit(String payload, long lsn) {
            super.admit(payload, lsn);
            return payload.equals("no") ? new Admission.Reject(reason) : Admission.ACCEPT;
          }
        };
    InMemoryLog log = new InMemoryLog(1 << 20);
    LogWriter<String> writer = writer(log, listener);

    CompletableFuture<Long> alone = writer.submit(FrameKind.ROWS, Frames.body("no"), "no");
    assertThatThrownBy(alone::get).isInstanceOf(ExecutionException.class).hasCause(reason);
    List<CompletableFuture<Long>> futures = new ArrayList<>();
    for (String text : List.of("a", "no", "b")) {
      futures.add(writer.submit(FrameKind.ROWS, Frames.body(text), text));
    }
    assertThat(futures.get(0).get()).isEqualTo(1);
    assertThatThrownBy(futures.get(1)::get).hasCause(reason);
    assertThat(futures.get(2).get()).isEqualTo(2);
    assertThat(Frames.bodies(log)).containsExactly("a", "b");
  }

  /** Notes what it hears. */
  static class RecordingListener implements LogListener<String> {
    final List<String> events = Collections.synchronizedList(new ArrayList<>());
    final List<String> durable = Collections.synchronizedList(new ArrayList<>());

    @Override
    public Admission admit(String payload, long lsn) {
      events.add("admit " + lsn + " " + payload);
      return Admission.ACCEPT;
    }

    @Override
    public void durable(long lsn, String payload) {
      events.add("durable " + lsn + " " + payload);
      durable.add(lsn + " " + payload);
    }

    @Override
    public void discarded(long firstLsn) {
      events.add("discarded " + firstLsn);
    }

    @Override
    public void sealed(SegmentInfo segment, long nextSegment) {
      events.add("sealed " + segment.number() + ", next " + nextSegment);
    }
  }
}
