package io.contextstore.log;

import static io.contextstore.log.Frames.rows;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.contextstore.log.FaultyFolder.Faults;
import io.contextstore.log.FaultyFolder.Op;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A local log on a disk that fails. */
@Timeout(60)
class LocalLogFaultTest {
  @TempDir Path temporary;
  private FaultyFolder disk;
  private LocalLog log;

  @BeforeEach
  void openOnAHealthyDisk() throws IOException {
    disk = new FaultyFolder(temporary.resolve("log"));
    log = open();
    log.append(List.of(rows("before")));
  }

  @AfterEach
  void closeLog() {
    disk.with(new Faults() {});
    assertThat(log.close(Duration.ofSeconds(10))).isEqualTo(CloseOutcome.CLOSED);
  }

  private LocalLog open() {
    return LocalLog.open(disk, Frames.IDENTITY, 1, 0, new LocalLogSettings(1 << 20));
  }

  private void reopen() {
    assertThat(log.close(Duration.ZERO)).isEqualTo(CloseOutcome.CLOSED);
    disk.with(new Faults() {});
    log = open();
  }

  /** Fails the next so many operations of each kind, before or after they happen. */
  private static final class FailNext implements Faults {
    private final Map<Op, Integer> left = new EnumMap<>(Op.class);
    private final boolean happens;
    private long tearAt = -1;

    FailNext(boolean happens) {
      this.happens = happens;
    }

    FailNext times(Op op, int count) {
      left.put(op, count);
      return this;
    }

    FailNext tear(long at) {
      tearAt = at;
      return this;
    }

    private void maybeFail(Op op) throws IOException {
      int count = left.getOrDefault(op, 0);
      if (count > 0) {
        left.put(op, count - 1);
        throw new IOException(op + " fails, as told");
      }
    }

    @Override
    public void before(Op op, Path file) throws IOException {
      if (!happens) {
        maybeFail(op);
      }
    }

    @Override
    public void after(Op op, Path file) throws IOException {
      if (happens) {
        maybeFail(op);
      }
    }

    @Override
    public long tear(Path file, long length) {
      long at = tearAt;
      tearAt = -1;
      return at;
    }
  }

  private void failsOnceThenGoesOn(Faults faults) {
    disk.with(faults);
    assertThatThrownBy(() -> log.append(List.of(rows("fails"), rows("fails too"))))
        .isInstanceOfSatisfying(
            LogWriteException.class,
            e -> {
              assertThat(e.effect()).isEqualTo(LogException.Effect.UNKNOWN);
              assertThat(e.retry()).isEqualTo(LogException.Retry.SOON);
            });
    assertThat(log.nextLsn()).isEqualTo(2);
    assertThat(log.append(List.of(rows("after"))).firstLsn()).isEqualTo(2);
    assertThat(Frames.bodies(log)).containsExactly("before", "after");
    reopen();
    assertThat(Frames.bodies(log)).containsExactly("before", "after");
  }

  @Test
  void aFailedWriteIsCutAndTheLogGoesOn() {
    failsOnceThenGoesOn(new FailNext(false).times(Op.WRITE, 1));
  }

  @Test
  void aWriteThatHappenedAndFailedIsCutAndTheLogGoesOn() {
    failsOnceThenGoesOn(new FailNext(true).times(Op.WRITE, 1));
  }

  @Test
  void aTornWriteIsCutAndTheLogGoesOn() {
    failsOnceThenGoesOn(new FailNext(false).tear(60));
  }

  @Test
  void aFailedSyncIsCutAndTheLogGoesOn() {
    failsOnceThenGoesOn(new FailNext(false).times(Op.FORCE, 1));
  }

  @Test
  void aSyncThatHappenedAndFailedIsCutAndTheLogGoesOn() {
    failsOnceThenGoesOn(new FailNext(true).times(Op.FORCE, 1));
  }

  @Test
  void everyGroupFailsAsLongAsTheDiskDoes() {
    disk.with(new FailNext(false).times(Op.FORCE, 5));
    for (int i = 0; i < 5; i++) {
      assertThatThrownBy(() -> log.append(List.of(rows("fails"))))
          .isInstanceOf(LogWriteException.class);
    }
    log.append(List.of(rows("after")));
    assertThat(Frames.bodies(log)).containsExactly("before", "after");
  }

  @Test
  void aFailedCutRefusesEverythingUntilReopened() {
    disk.with(new FailNext(false).times(Op.FORCE, 1).times(Op.CUT, 1));
    assertThatThrownBy(() -> log.append(List.of(rows("unknown"))))
        .isInstanceOfSatisfying(
            LogWriteException.class,
            e -> {
              assertThat(e.logUsable()).isFalse();
              assertThat(e.retry()).isEqualTo(LogException.Retry.AFTER_REOPEN);
            });
    assertThatThrownBy(() -> log.append(List.of(rows("refused"))))
        .isInstanceOfSatisfying(
            LogRefusedException.class,
            e -> assertThat(e.effect()).isEqualTo(LogException.Effect.NOT_WRITTEN));
    assertThatThrownBy(log::seal).isInstanceOf(LogRefusedException.class);
    assertThatThrownBy(() -> log.stage(Frames.body("refused")))
        .isInstanceOf(LogRefusedException.class);
    reopen();
    assertThat(Frames.bodies(log)).containsExactly("before", "unknown");
    assertThat(log.append(List.of(rows("after"))).firstLsn()).isEqualTo(4);
  }

  @Test
  void aSealWhoseFooterFailsLeavesTheSegmentActive() {
    disk.with(new FailNext(true).times(Op.FORCE, 1));
    assertThatThrownBy(log::seal)
        .isInstanceOfSatisfying(LogWriteException.class, e -> assertThat(e.logUsable()).isTrue());
    assertThat(log.append(List.of(rows("after"))).firstLsn()).isEqualTo(2);
    assertThat(log.seal()).isInstanceOf(SealOutcome.Sealed.class);
    assertThat(Frames.bodies(log)).containsExactly("before", "after");
    reopen();
    assertThat(Frames.bodies(log)).containsExactly("before", "after");
  }

  @Test
  void aSealThatCannotMakeTheNextSegmentRefusesUntilReopened() {
    for (Op op : List.of(Op.CREATE, Op.RENAME, Op.SYNC_FOLDER)) {
      for (boolean happens : new boolean[] {false, true}) {
        disk.with(new FailNext(happens).times(op, 1));
        assertThatThrownBy(log::seal)
            .isInstanceOfSatisfying(
                LogWriteException.class, e -> assertThat(e.logUsable()).isFalse());
        assertThatThrownBy(() -> log.append(List.of(rows("refused"))))
            .isInstanceOf(LogRefusedException.class);
        reopen();
        assertThat(log.segments()).last().satisfies(info -> assertThat(info.isEmpty()).isTrue());
        log.append(List.of(rows("more")));
      }
    }
    assertThat(Frames.bodies(log)).hasSize(7);
  }

  @Test
  void aDropThatFailsIsRepeated() {
    log.seal();
    log.append(List.of(rows("two")));
    log.seal();
    disk.with(new FailNext(false).times(Op.DELETE, 1));
    assertThatThrownBy(() -> log.dropThrough(2))
        .isInstanceOfSatisfying(
            LogIoException.class, e -> assertThat(e.retry()).isEqualTo(LogException.Retry.SOON));
    assertThat(log.segments()).hasSize(3);
    log.dropThrough(2);
    assertThat(log.segments()).hasSize(1);
    assertThat(log.append(List.of(rows("after"))).firstLsn()).isEqualTo(5);
  }

  @Test
  void aStagingThatFailsHarmsNothingAndLeavesNothing() throws IOException {
    for (Op op : List.of(Op.CREATE, Op.WRITE, Op.FORCE, Op.RENAME, Op.SYNC_FOLDER)) {
      disk.with(new FailNext(true).times(op, 1));
      assertThatThrownBy(() -> log.stage(Frames.body("large"))).isInstanceOf(LogIoException.class);
    }
    log.append(List.of(rows("after")));
    reopen();
    assertThat(Frames.bodies(log)).containsExactly("before", "after");
    assertThat(disk.list()).as("two segments").hasSize(2);
  }

  @Test
  void aRecoveryThatFailsMayBeRepeated() {
    for (Op op : List.of(Op.CUT, Op.REWRITE, Op.WRITE, Op.FORCE, Op.CREATE, Op.SYNC_FOLDER)) {
      assertThat(log.close(Duration.ZERO)).isEqualTo(CloseOutcome.CLOSED);
      disk.with(new FailNext(false).times(op, 1));
      assertThatThrownBy(this::open).as("%s", op).isInstanceOf(LogIoException.class);
      log = open();
      log.append(List.of(rows("more")));
    }
    assertThat(Frames.bodies(log)).hasSize(7);
  }

  @Test
  void aCallThatHangsAndWasAbandonedTouchesNothingWhenItComesBack() throws Exception {
    CountDownLatch reached = new CountDownLatch(1);
    CountDownLatch resume = new CountDownLatch(1);
    List<Op> done = new CopyOnWriteArrayList<>();
    disk.with(
        new Faults() {
          @Override
          public void before(Op op, Path file) throws IOException {
            if (op == Op.FORCE) {
              reached.countDown();
              await(resume);
              throw new IOException("fails late, as told");
            }
            done.add(op);
          }
        });
    try (ExecutorService pool = Executors.newSingleThreadExecutor()) {
      Future<?> append = pool.submit(() -> log.append(List.of(rows("hangs"))));
      reached.await();
      log.abandon(new LogDeadlineException("for the test", null));
      assertThatThrownBy(() -> log.append(List.of(rows("second writer"))))
          .isInstanceOf(IllegalStateException.class);
      assertThat(log.close(Duration.ofMillis(1))).isEqualTo(CloseOutcome.CALL_STILL_RUNNING);
      assertThatThrownBy(() -> log.append(List.of(rows("closed"))))
          .isInstanceOf(LogRefusedException.class);
      resume.countDown();
      assertThatThrownBy(append::get).hasCauseInstanceOf(LogWriteException.class);
      assertThat(log.close(Duration.ofSeconds(10))).isEqualTo(CloseOutcome.CLOSED);
      assertThat(done).as("what was done to the disk, beside the sync").containsExactly(Op.WRITE);
    }
    reopen();
    assertThat(Frames.bodies(log)).startsWith("before");
  }

  @Test
  void anInterruptDoesNotCostTheLogItsFile() throws Exception {
    Path folder = temporary.resolve("real");
    LocalLog real = LocalLog.open(folder, Frames.IDENTITY, 1, 0, LocalLogSettings.DEFAULT);
    Thread.currentThread().interrupt();
    real.append(List.of(rows("interrupted")));
    assertThat(Thread.interrupted()).as("the flag is kept").isTrue();
    real.append(List.of(rows("later")));
    assertThat(Frames.bodies(real)).containsExactly("interrupted", "later");
    assertThat(real.close(Duration.ZERO)).isEqualTo(CloseOutcome.CLOSED);
  }

  @Test
  void interruptsInMidCallCostAtMostTheirGroup() throws Exception {
    LocalLog real =
        LocalLog.open(temporary.resolve("real"), Frames.IDENTITY, 1, 0, LocalLogSettings.DEFAULT);
    List<String> acknowledged = new ArrayList<>();
    Thread writer =
        new Thread(
            () -> {
              for (int i = 0; i < 100; i++) {
                try {
                  real.append(List.of(rows("row " + i)));
                  acknowledged.add("row " + i);
                } catch (LogWriteException e) {
                  assertThat(e.logUsable()).isTrue();
                }
              }
            });
    writer.start();
    while (writer.isAlive()) {
      writer.interrupt();
      Thread.onSpinWait();
    }
    writer.join();
    assertThat(Frames.bodies(real)).isEqualTo(acknowledged);
    assertThat(real.append(List.of(rows("after"))).firstLsn()).isEqualTo(acknowledged.size() + 1);
    assertThat(real.close(Duration.ZERO)).isEqualTo(CloseOutcome.CLOSED);
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }
}
