package io.contextstore.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class PlannerThreadsTest {
  private final BlockingQueue<String> discarded = new LinkedBlockingQueue<>();

  @Test
  void workRunsOnAPlatformThreadOfThePool() throws ExecutionException {
    try (PlannerThreads threads = new PlannerThreads("planner", 2, 16 << 20)) {
      Thread thread = threads.call("work", Deadline.none(), Thread::currentThread, ignored -> {});
      assertThat(thread.isVirtual()).isFalse();
      assertThat(thread.getName()).startsWith("planner-");
      assertThat(thread.isDaemon()).isTrue();
    }
  }

  @Test
  void theStackIsDeep() throws ExecutionException {
    try (PlannerThreads threads = new PlannerThreads("planner", 1, 64 << 20)) {
      // A JVM's default of 1 MiB ends at some ten thousand frames.
      assertThat(threads.call("work", Deadline.none(), () -> depth(100_000), ignored -> {}))
          .isEqualTo(100_000);
    }
  }

  private static int depth(int left) {
    return left == 0 ? 0 : 1 + depth(left - 1);
  }

  @Test
  void whatWorkThrowsComesBack() {
    try (PlannerThreads threads = new PlannerThreads("planner", 1, 16 << 20)) {
      assertThatThrownBy(
              () ->
                  threads.call(
                      "work",
                      Deadline.none(),
                      () -> {
                        throw new IllegalArgumentException("bad filter");
                      },
                      ignored -> {}))
          .isInstanceOf(ExecutionException.class)
          .hasRootCauseMessage("bad filter");
    }
  }

  @Test
  void aResultThatComesAfterTheDeadlineIsDiscarded() throws InterruptedException {
    CountDownLatch started = new CountDownLatch(1);
    CountDownLatch gaveUp = new CountDownLatch(1);
    try (PlannerThreads threads = new PlannerThreads("planner", 1, 16 << 20)) {
      // On a busy machine the deadline may pass before the work begins; then it never does.
      while (started.getCount() > 0) {
        assertThatThrownBy(
                () ->
                    threads.call(
                        "work",
                        Deadline.after(Duration.ofMillis(20)),
                        () -> {
                          started.countDown();
                          gaveUp.await();
                          return "late";
                        },
                        discarded::add))
            .isInstanceOf(TableTimeoutException.class);
      }
      gaveUp.countDown();
      assertThat(discarded.poll(10, TimeUnit.SECONDS)).isEqualTo("late");
    }
  }

  @Test
  void aCallerThatGaveUpWhileQueuedCostsNothing() {
    CountDownLatch release = new CountDownLatch(1);
    AtomicBoolean ran = new AtomicBoolean();
    try (PlannerThreads threads = new PlannerThreads("planner", 1, 16 << 20)) {
      Thread first =
          Thread.ofPlatform()
              .start(
                  () -> {
                    try {
                      threads.call(
                          "first",
                          Deadline.none(),
                          () -> {
                            release.await();
                            return "";
                          },
                          ignored -> {});
                    } catch (ExecutionException e) {
                      throw new AssertionError(e);
                    }
                  });
      while (first.getState() != Thread.State.WAITING) {
        Thread.onSpinWait();
      }
      assertThatThrownBy(
              () ->
                  threads.call(
                      "second",
                      Deadline.after(Duration.ZERO),
                      () -> {
                        ran.set(true);
                        return "";
                      },
                      ignored -> {}))
          .isInstanceOf(TableTimeoutException.class);
      release.countDown();
    }
    assertThat(ran).isFalse();
  }

  @Test
  void anInterruptedCallerLeavesAtOnceAndStaysInterrupted() throws InterruptedException {
    CountDownLatch gaveUp = new CountDownLatch(1);
    BlockingQueue<Throwable> thrown = new LinkedBlockingQueue<>();
    AtomicBoolean flag = new AtomicBoolean();
    try (PlannerThreads threads = new PlannerThreads("planner", 1, 16 << 20)) {
      CountDownLatch started = new CountDownLatch(1);
      Thread caller =
          Thread.ofPlatform()
              .start(
                  () -> {
                    try {
                      threads.call(
                          "work",
                          Deadline.none(),
                          () -> {
                            started.countDown();
                            gaveUp.await();
                            return "late";
                          },
                          discarded::add);
                    } catch (TableException | ExecutionException e) {
                      flag.set(Thread.currentThread().isInterrupted());
                      thrown.add(e);
                    }
                  });
      started.await();
      caller.interrupt();
      assertThat(thrown.poll(10, TimeUnit.SECONDS)).isInstanceOf(TableInterruptedException.class);
      assertThat(flag).isTrue();
      gaveUp.countDown();
      assertThat(discarded.poll(10, TimeUnit.SECONDS)).isEqualTo("late");
    }
  }

  @Test
  void aClosedPoolRefusesWork() {
    PlannerThreads threads = new PlannerThreads("planner", 1, 16 << 20);
    threads.close();
    assertThatThrownBy(() -> threads.call("work", Deadline.none(), () -> "", ignored -> {}))
        .isInstanceOf(TableException.class)
        .hasMessageContaining("closed");
  }
}
