package io.contextstore.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.contextstore.log.LogException.Effect;
import io.contextstore.log.LogException.Retry;
import io.contextstore.log.LogWriterTest.RecordingListener;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A writer whose log, listener, pool or caller misbehaves. */
@Timeout(60)
class LogWriterFaultTest {
  private final ExecutorService pool = Executors.newCachedThreadPool();
  private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();
  private final ScriptedLog log = new ScriptedLog();
  private final RecordingListener listener = new RecordingListener();
  private final AtomicInteger released = new AtomicInteger();

  @AfterEach
  void stopThreads() throws InterruptedException {
    pool.shutdown();
    timer.shutdownNow();
    assertThat(pool.awaitTermination(10, TimeUnit.SECONDS)).isTrue();
  }

  private LogWriter<String> writer(
      Executor executor, LogListener<String> hears, LogWriterSettings settings) {
    return new LogWriter<>(log, hears, executor, timer, settings);
  }

  private LogWriter<String> writer() {
    return writer(pool, listener, LogWriterSettings.DEFAULT);
  }

  private static LogWriterSettings settings(long bytes, int items, Duration deadline) {
    return new LogWriterSettings(bytes, items, 1 << 20, 100, 1 << 20, deadline);
  }

  private CompletableFuture<Long> submit(LogWriter<String> writer, String text) {
    FrameBody body = FrameBody.of(Frames.parts(text), released::incrementAndGet);
    return writer.submit(FrameKind.ROWS, body, text);
  }

  private static LogException failure(CompletableFuture<?> future) throws Exception {
    try {
      future.get();
    } catch (ExecutionException e) {
      assertThat(e.getCause()).isInstanceOf(LogException.class);
      return (LogException) e.getCause();
    }
    throw new AssertionError("the future did not fail");
  }

  /** Runs what it is given only when told. */
  private static final class ManualPool implements Executor {
    private final Deque<Runnable> tasks = new ArrayDeque<>();

    @Override
    public void execute(Runnable task) {
      tasks.add(task);
    }

    void runAll() {
      for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
        task.run();
      }
    }
  }

  @Test
  void whatGathersInTheQueueIsOneGroup() throws Exception {
    ManualPool manual = new ManualPool();
    LogWriter<String> writer = writer(manual, listener, LogWriterSettings.DEFAULT);
    List<CompletableFuture<Long>> futures = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      futures.add(submit(writer, "row " + i));
    }
    assertThat(manual.tasks).as("one run for all").hasSize(1);
    manual.runAll();
    assertThat(log.groups).containsExactly(10);
    for (int i = 0; i < 10; i++) {
      assertThat(futures.get(i)).isCompletedWithValue(i + 1L);
    }
    assertThat(released).hasValue(10);
  }

  @Test
  void groupsAreBoundedByItemsAndBytesButOneFrameAlwaysFits() {
    ManualPool manual = new ManualPool();
    LogWriter<String> writer =
        writer(
            manual,
            listener,
            new LogWriterSettings(1 << 20, 100, 10, 3, 1 << 20, Duration.ofSeconds(30)));
    List<CompletableFuture<Long>> futures = new ArrayList<>();
    for (String text : List.of("a", "b", "c", "d", "12345", "123456", "longer than ten")) {
      futures.add(submit(writer, text));
    }
    manual.runAll();
    assertThat(log.groups).containsExactly(3, 2, 1, 1);
    assertThat(futures).allMatch(CompletableFuture::isDone);
  }

  @Test
  void aFullQueueRefusesAtTheDoorAndRecovers() throws Exception {
    ManualPool manual = new ManualPool();
    LogWriter<String> writer = writer(manual, listener, settings(10, 3, Duration.ofSeconds(30)));
    CompletableFuture<Long> first = submit(writer, "12345678");
    assertThatThrownBy(() -> submit(writer, "345"))
        .isInstanceOfSatisfying(
            LogOverloadedException.class,
            e -> {
              assertThat(e.effect()).isEqualTo(Effect.NOT_WRITTEN);
              assertThat(e.retry()).isEqualTo(Retry.SOON);
            });
    List<CompletableFuture<Long>> others = List.of(submit(writer, "9"), submit(writer, "0"));
    assertThatThrownBy(() -> submit(writer, "")).isInstanceOf(LogOverloadedException.class);
    CompletableFuture<SealOutcome> seal = writer.seal();
    assertThat(writer.unsettledBytes()).isEqualTo(10);
    assertThat(writer.unsettledItems()).isEqualTo(3);

    manual.runAll();
    assertThat(first).isCompletedWithValue(1L);
    assertThat(others).allMatch(CompletableFuture::isDone);
    assertThat(seal).isCompleted();
    assertThat(writer.unsettledBytes()).isZero();
    CompletableFuture<Long> alone = submit(writer, "one that is larger than the queue");
    manual.runAll();
    assertThat(alone.get()).isEqualTo(5);
    assertThat(released).as("a refused body stays its maker's").hasValue(4);
  }

  @Test
  void aPoolThatRejectsLeavesTheQueueAsItWas() throws Exception {
    AtomicInteger rejections = new AtomicInteger(2);
    LogWriter<String> writer =
        writer(
            task -> {
              if (rejections.getAndDecrement() > 0) {
                throw new RejectedExecutionException("the pool is full");
              }
              pool.execute(task);
            },
            listener,
            LogWriterSettings.DEFAULT);
    assertThatThrownBy(() -> submit(writer, "rejected"))
        .isInstanceOfSatisfying(
            LogOverloadedException.class,
            e -> assertThat(e.effect()).isEqualTo(Effect.NOT_WRITTEN));
    assertThatThrownBy(writer::seal).isInstanceOf(LogOverloadedException.class);
    assertThat(writer.unsettledItems()).isZero();
    assertThat(submit(writer, "taken").get()).isEqualTo(1);
    assertThat(Frames.bodies(log)).containsExactly("taken");
    assertThat(released).hasValue(1);
  }

  @Test
  void whoeverQueuedBehindARejectedRunIsToldToo() throws Exception {
    AtomicInteger calls = new AtomicInteger();
    List<CompletableFuture<Long>> behind = new ArrayList<>();
    AtomicReference<LogWriter<String>> self = new AtomicReference<>();
    self.set(
        writer(
            task -> {
              if (calls.getAndIncrement() == 0) {
                behind.add(submit(self.get(), "came meanwhile"));
                throw new RejectedExecutionException("the pool is full");
              }
              pool.execute(task);
            },
            listener,
            LogWriterSettings.DEFAULT));
    assertThatThrownBy(() -> submit(self.get(), "first"))
        .isInstanceOf(LogOverloadedException.class);
    assertThat(failure(behind.getFirst())).isInstanceOf(LogOverloadedException.class);
    assertThat(released).as("the second body was accepted, the first was not").hasValue(1);
    assertThat(submit(self.get(), "later").get()).isEqualTo(1);
  }

  @Test
  void aFailedGroupFailsItsFuturesOnlyAndTheNextGoesOn() throws Exception {
    ManualPool manual = new ManualPool();
    LogWriter<String> writer = writer(manual, listener, LogWriterSettings.DEFAULT);
    log.next =
        () -> {
          throw new LogWriteException("sync failed", true, null);
        };
    CompletableFuture<Long> a = submit(writer, "a");
    CompletableFuture<Long> b = submit(writer, "b");
    manual.runAll();
    CompletableFuture<Long> c = submit(writer, "c");
    manual.runAll();

    assertThat(failure(a).effect()).isEqualTo(Effect.UNKNOWN);
    assertThat(failure(b).retry()).isEqualTo(Retry.SOON);
    assertThat(c.get()).isEqualTo(1);
    assertThat(listener.events)
        .containsExactly("admit 1 a", "admit 2 b", "discarded 1", "admit 1 c", "durable 1 c");
    assertThat(writer.refusal()).isEmpty();
    assertThat(released).hasValue(3);
  }

  @Test
  void aLogInDoubtIsStickyAndWhatWasQueuedIsNotWritten() throws Exception {
    ManualPool manual = new ManualPool();
    LogWriter<String> writer =
        writer(
            manual,
            listener,
            new LogWriterSettings(1 << 20, 100, 1 << 20, 1, 1 << 20, Duration.ofSeconds(30)));
    log.next =
        () -> {
          throw new LogWriteException("the cut failed", false, null);
        };
    CompletableFuture<Long> tried = submit(writer, "tried");
    CompletableFuture<Long> queued = submit(writer, "queued");
    CompletableFuture<SealOutcome> seal = writer.seal();
    manual.runAll();

    assertThat(failure(tried).effect()).isEqualTo(Effect.UNKNOWN);
    assertThat(failure(queued)).isInstanceOf(LogRefusedException.class);
    assertThat(failure(queued).effect()).isEqualTo(Effect.NOT_WRITTEN);
    assertThat(failure(seal)).isInstanceOf(LogRefusedException.class);
    assertThatThrownBy(() -> submit(writer, "later"))
        .isInstanceOf(LogRefusedException.class)
        .hasCauseInstanceOf(LogWriteException.class);
    assertThat(writer.refusal()).isPresent();
    assertThat(writer.unsettledItems()).isZero();
    assertThat(writer.close(Duration.ZERO)).isEqualTo(CloseOutcome.CLOSED);
  }

  @Test
  void aCallPastItsDeadlineFailsItsFuturesAndItsMemoryIsLeftAlone() throws Exception {
    CountDownLatch resume = new CountDownLatch(1);
    LogWriter<String> writer =
        writer(pool, listener, settings(1 << 20, 100, Duration.ofMillis(100)));
    assertThat(submit(writer, "quick").get()).isEqualTo(1);
    log.beforeReturn =
        () -> {
          try {
            resume.await();
          } catch (InterruptedException e) {
            throw new AssertionError(e);
          }
        };
    CompletableFuture<Long> hangs = submit(writer, "hangs");
    LogException late = failure(hangs);
    assertThat(late).isInstanceOf(LogDeadlineException.class);
    assertThat(late.effect()).isEqualTo(Effect.UNKNOWN);
    assertThat(late.retry()).isEqualTo(Retry.AFTER_REOPEN);
    assertThat(released).as("the hanging call may still read it").hasValue(1);
    assertThatThrownBy(() -> submit(writer, "later"))
        .isInstanceOf(LogRefusedException.class)
        .hasCauseInstanceOf(LogDeadlineException.class);
    assertThat(writer.close(Duration.ofMillis(1))).isEqualTo(CloseOutcome.CALL_STILL_RUNNING);

    resume.countDown();
    assertThat(writer.close(Duration.ofSeconds(10))).isEqualTo(CloseOutcome.CLOSED);
    assertThat(released).hasValue(2);
    assertThat(listener.events)
        .as("a late success is for the next open to find")
        .containsExactly("admit 1 quick", "durable 1 quick", "admit 2 hangs");
    assertThat(writer.unsettledItems()).isZero();
  }

  @Test
  void theDeadlineIsWatchedAgainAfterAQuietTime() throws Exception {
    LogWriter<String> writer =
        writer(pool, listener, settings(1 << 20, 100, Duration.ofMillis(50)));
    for (int i = 0; i < 20; i++) {
      assertThat(submit(writer, "row").get()).isEqualTo(i + 1L);
      timer.schedule(() -> {}, 15, TimeUnit.MILLISECONDS).get();
    }
    CountDownLatch resume = new CountDownLatch(1);
    log.next =
        () -> {
          try {
            resume.await();
          } catch (InterruptedException e) {
            throw new AssertionError(e);
          }
        };
    CompletableFuture<SealOutcome> seal = writer.seal();
    assertThat(failure(seal)).isInstanceOf(LogDeadlineException.class);
    resume.countDown();
    assertThat(writer.close(Duration.ofSeconds(10))).isEqualTo(CloseOutcome.CLOSED);
  }

  @Test
  void aListenerThatFailsWithADurableFrameStopsEverything() throws Exception {
    RecordingListener failing =
        new RecordingListener() {
          @Override
          public void durable(long lsn, String payload) {
            if (payload.equals("bad")) {
              throw new IllegalStateException("cannot index");
            }
            super.durable(lsn, payload);
          }
        };
    ManualPool manual = new ManualPool();
    LogWriter<String> writer = writer(manual, failing, LogWriterSettings.DEFAULT);
    List<CompletableFuture<Long>> futures = new ArrayList<>();
    for (String text : List.of("good", "bad", "behind")) {
      futures.add(submit(writer, text));
    }
    manual.runAll();
    assertThat(futures.get(0)).isCompletedWithValue(1L);
    assertThat(failure(futures.get(1)).effect()).isEqualTo(Effect.UNKNOWN);
    assertThat(failure(futures.get(2)).retry()).isEqualTo(Retry.AFTER_REOPEN);
    assertThatThrownBy(() -> submit(writer, "later")).isInstanceOf(LogRefusedException.class);
    assertThat(Frames.bodies(log)).containsExactly("good", "bad", "behind");
    assertThat(released).hasValue(3);
  }

  @Test
  void aListenerThatFailsToAdmitStopsEverythingAndNothingIsWritten() throws Exception {
    RecordingListener failing =
        new RecordingListener() {
          @Override
          public Admission admit(String payload, long lsn) {
            throw new IllegalStateException("cannot decide");
          }
        };
    LogWriter<String> writer = writer(pool, failing, LogWriterSettings.DEFAULT);
    assertThat(failure(submit(writer, "a")).effect()).isEqualTo(Effect.NOT_WRITTEN);
    assertThat(writer.refusal()).isPresent();
    assertThat(Frames.bodies(log)).isEmpty();
  }

  @Test
  void closeFinishesWhatIsQueuedAndRefusesTheRest() throws Exception {
    LogWriter<String> writer = writer();
    List<CompletableFuture<Long>> futures = new ArrayList<>();
    for (int i = 0; i < 50; i++) {
      futures.add(submit(writer, "row"));
    }
    assertThat(writer.close(Duration.ofSeconds(10))).isEqualTo(CloseOutcome.CLOSED);
    assertThat(futures).allMatch(future -> future.isDone() && !future.isCompletedExceptionally());
    assertThatThrownBy(() -> submit(writer, "late")).isInstanceOf(LogRefusedException.class);
    assertThatThrownBy(writer::seal).isInstanceOf(LogRefusedException.class);
    assertThat(writer.close(Duration.ZERO)).isEqualTo(CloseOutcome.CLOSED);
  }

  @Test
  void closeDoesNotWaitLongerThanItsPatienceForARunThatNeverComes() throws Exception {
    ManualPool manual = new ManualPool();
    LogWriter<String> writer = writer(manual, listener, LogWriterSettings.DEFAULT);
    CompletableFuture<Long> queued = submit(writer, "a");
    assertThat(writer.close(Duration.ofMillis(1))).isEqualTo(CloseOutcome.CALL_STILL_RUNNING);
    assertThat(failure(queued).effect()).isEqualTo(Effect.NOT_WRITTEN);
    manual.runAll();
    assertThat(writer.close(Duration.ZERO)).isEqualTo(CloseOutcome.CLOSED);
    assertThat(Frames.bodies(log)).isEmpty();
  }

  @Test
  void aLargeBodyIsStagedByItsOwnThreadAndDiscardedWhenItIsNotWritten() throws Exception {
    LogWriter<String> writer =
        writer(
            pool,
            new RecordingListener() {
              @Override
              public Admission admit(String payload, long lsn) {
                return payload.startsWith("no")
                    ? new Admission.Reject(new IllegalStateException("exists"))
                    : Admission.ACCEPT;
              }
            },
            new LogWriterSettings(1 << 20, 100, 1 << 20, 100, 10, Duration.ofSeconds(30)));
    assertThat(submit(writer, "longer than ten").get()).isEqualTo(1);
    assertThat(log.stagedBy).containsExactly(Thread.currentThread());
    assertThat(log.discards).hasValue(0);
    assertThatThrownBy(submit(writer, "no, longer than ten")::get)
        .hasCauseInstanceOf(IllegalStateException.class);
    assertThat(log.discards).hasValue(1);
    assertThat(writer.close(Duration.ofSeconds(10))).isEqualTo(CloseOutcome.CLOSED);
    assertThatThrownBy(() -> submit(writer, "late and longer than ten"))
        .isInstanceOf(LogRefusedException.class);
    assertThat(log.discards).hasValue(2);
    assertThat(Frames.bodies(log)).containsExactly("longer than ten");
  }
}
