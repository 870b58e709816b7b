package io.contextstore.log;

import static org.assertj.core.api.Assertions.assertThat;

import io.contextstore.log.FaultyFolder.Faults;
import io.contextstore.log.FaultyFolder.Op;
import io.contextstore.log.Frames.Read;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Loses power before and after each single operation on the disk, in a life of a log that has
 * everything in it (appends, large bodies, failed appends, seals, drops, re-opens), and again in
 * the recovery from that.
 */
class CrashTest {
  private static final int SEEDS_EACH = 4;

  @TempDir Path folder;

  /** What must be found again. */
  private static final class Ledger {
    final List<Read> acknowledged = new ArrayList<>();
    final List<Read> submitted = new ArrayList<>();
    long watermark;
    long droppedBelowLsn;
    boolean finished;
  }

  /**
   * From the n-th operation on nothing works any more; that one may have happened, or half of it.
   */
  private static final class PowerLoss implements Faults {
    private final int at;
    private final int failsOnceAt;
    private final boolean happens;
    private final Random random;
    private int count;

    PowerLoss(int at, boolean happens, Random random) {
      this.at = at;
      this.failsOnceAt = random.nextInt(1, at + 1);
      this.happens = happens;
      this.random = random;
    }

    @Override
    public void before(Op op, Path file) throws IOException {
      count++;
      if (count > at || (count == at && !happens)) {
        throw new IOException("the power is off, as told");
      }
      if (count == failsOnceAt && op == Op.FORCE) {
        throw new IOException("fails once, as told");
      }
    }

    @Override
    public long tear(Path file, long length) {
      return count == at || count == failsOnceAt ? random.nextLong(length + 1) : -1;
    }

    @Override
    public void after(Op op, Path file) throws IOException {
      if (count >= at) {
        throw new IOException("the power is off, as told");
      }
    }
  }

  @Test
  void everyAcknowledgedFrameSurvivesALossOfPowerAtEveryStep() throws IOException {
    long seed = new Random().nextLong();
    System.out.println("CrashTest seed " + seed);
    Random random = new Random(seed);
    int crashes = 0;
    boolean finished = false;
    for (int at = 1; !finished; at++) {
      for (int round = 0; round < SEEDS_EACH; round++) {
        Path here = Files.createDirectory(folder.resolve("crash-" + at + "-" + round));
        PowerLoss loss = new PowerLoss(at, round % 2 == 0, random);
        FaultyFolder disk = new FaultyFolder(here.resolve("log"));
        Ledger ledger = live(disk.with(loss));
        finished = ledger.finished;
        Path image = here.resolve("image");
        disk.losePower(image, random);
        recoverWithCrashes(here, image, ledger, random);
        crashes++;
        delete(here);
      }
    }
    assertThat(crashes).as("steps of a life times rounds").isGreaterThan(150);
  }

  private static Ledger live(FaultyFolder disk) {
    Ledger ledger = new Ledger();
    try {
      LocalLog log = open(disk, 1, 0);
      append(log, ledger, "first", "second");
      append(log, ledger, "third");
      large(log, ledger, "large one");
      seal(log);
      append(log, ledger, "fourth");
      seal(log);
      log.close(Duration.ZERO);

      log = open(disk, 2, 0);
      append(log, ledger, "fifth", "sixth", "seventh");
      drop(log, ledger, 1);
      log.discard(log.stage(Frames.body("in vain")));
      large(log, ledger, "large two");
      log.close(Duration.ZERO);

      log = open(disk, 2, ledger.watermark);
      log.close(Duration.ZERO);
      log = open(disk, 3, ledger.watermark);
      append(log, ledger, "eighth");
      seal(log);
      drop(log, ledger, 4);
      log.close(Duration.ZERO);
      ledger.finished = true;
    } catch (LogException expected) {
      assertThat(expected).hasStackTraceContaining("as told");
    }
    return ledger;
  }

  private static void append(LocalLog log, Ledger ledger, String... bodies) {
    List<FrameDraft> group = new ArrayList<>();
    List<Read> frames = new ArrayList<>();
    for (String body : bodies) {
      frames.add(new Read(log.nextLsn() + frames.size(), FrameKind.ROWS, body));
      group.add(Frames.rows(body));
    }
    write(log, ledger, group, frames);
  }

  /** A group that failed and was cut must never come back. */
  private static void write(
      LocalLog log, Ledger ledger, List<FrameDraft> group, List<Read> frames) {
    ledger.submitted.addAll(frames);
    try {
      log.append(group);
      ledger.acknowledged.addAll(frames);
    } catch (LogWriteException e) {
      if (!e.logUsable()) {
        throw e;
      }
      ledger.submitted.removeAll(frames);
    }
  }

  private static void large(LocalLog log, Ledger ledger, String body) {
    StagedBody staged = log.stage(Frames.body(body));
    Read frame = new Read(log.nextLsn(), FrameKind.TOMBSTONES, body);
    write(log, ledger, List.of(new FrameDraft(FrameKind.TOMBSTONES, staged)), List.of(frame));
  }

  private static void seal(LocalLog log) {
    log.seal();
  }

  /** As a merge does: first the watermark is durable, then the segments go. */
  private static void drop(LocalLog log, Ledger ledger, long segment) {
    ledger.watermark = segment;
    for (SegmentInfo info : log.segments()) {
      if (info.number() == segment) {
        ledger.droppedBelowLsn = info.lastLsn() + 1;
      }
    }
    log.dropThrough(segment);
  }

  private static LocalLog open(FaultyFolder disk, long epoch, long watermark) {
    return LocalLog.open(disk, Frames.IDENTITY, epoch, watermark, new LocalLogSettings(4096));
  }

  /** Crashes some times in the recovery before it lets one come to its end. */
  private static void recoverWithCrashes(Path here, Path image, Ledger ledger, Random random)
      throws IOException {
    Path current = image;
    for (int crash = 0; crash < 3; crash++) {
      FaultyFolder disk = new FaultyFolder(current);
      disk.with(new PowerLoss(1 + random.nextInt(14), random.nextBoolean(), random));
      try {
        LocalLog log = open(disk, 4, ledger.watermark);
        log.close(Duration.ZERO);
      } catch (LogException expected) {
        assertThat(expected).hasStackTraceContaining("as told");
      }
      Path next = here.resolve("again-" + crash);
      disk.losePower(next, random);
      current = next;
    }
    requireRecovered(current, ledger);
  }

  private static void requireRecovered(Path folder, Ledger ledger) throws IOException {
    FaultyFolder disk = new FaultyFolder(folder);
    LocalLog log = open(disk, 5, ledger.watermark);
    List<Read> found = Frames.readAll(log);
    List<Read> owed =
        ledger.acknowledged.stream().filter(f -> f.lsn() >= ledger.droppedBelowLsn).toList();
    assertThat(found).as("acknowledged frames").hasSizeGreaterThanOrEqualTo(owed.size());
    assertThat(found.subList(0, owed.size())).as("acknowledged, in order").isEqualTo(owed);
    assertThat(ledger.submitted).as("nothing but what was submitted").containsAll(found);
    long next = log.nextLsn();
    assertThat(next)
        .isGreaterThan(ledger.acknowledged.stream().mapToLong(Read::lsn).max().orElse(0));
    long segments = log.segments().size();
    log.append(List.of(Frames.rows("after")));
    log.close(Duration.ZERO);

    log = open(disk, 5, ledger.watermark);
    List<Read> more = new ArrayList<>(found);
    more.add(new Read(next, FrameKind.ROWS, "after"));
    assertThat(Frames.readAll(log)).isEqualTo(more);
    log.close(Duration.ZERO);
    log = open(disk, 5, ledger.watermark);
    log.close(Duration.ZERO);
    log = open(disk, 6, ledger.watermark);
    assertThat(log.segments()).as("re-opens pile nothing up").hasSize((int) segments + 1);
    log.dropThrough(Long.MAX_VALUE);
    assertThat(disk.list()).as("nothing is left behind").hasSize(1);
    log.close(Duration.ZERO);
  }

  private static void delete(Path folder) throws IOException {
    try (var files = Files.walk(folder)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }
}
