package io.contextstore.log;

import static io.contextstore.log.Frames.rows;
import static io.contextstore.log.Frames.tombstones;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.contextstore.log.Frames.Read;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What every {@link WriteAheadLog} owes. */
abstract class WriteAheadLogContract {
  static final long SEGMENT_BYTES = 4096;

  private WriteAheadLog log;

  /** A new, empty log that advises a seal at {@link #SEGMENT_BYTES}. */
  abstract WriteAheadLog create() throws Exception;

  final WriteAheadLog log() throws Exception {
    if (log == null) {
      log = create();
    }
    return log;
  }

  @AfterEach
  void closeLog() {
    if (log != null) {
      assertThat(log.close(Duration.ofSeconds(10))).isEqualTo(CloseOutcome.CLOSED);
    }
  }

  @Test
  void beginsWithOneEmptyActiveSegmentAndLsnOne() throws Exception {
    assertThat(log().segments())
        .singleElement()
        .satisfies(
            segment -> {
              assertThat(segment.number()).isEqualTo(1);
              assertThat(segment.firstLsn()).isEqualTo(1);
              assertThat(segment.lastLsn()).isZero();
              assertThat(segment.sealed()).isFalse();
              assertThat(segment.isEmpty()).isTrue();
            });
    assertThat(log().nextLsn()).isEqualTo(1);
    assertThat(Frames.readAll(log())).isEmpty();
  }

  @Test
  void numbersFramesWithoutAGapAndReadsThemBackInOrder() throws Exception {
    AppendResult first = log().append(List.of(rows("a"), tombstones("")));
    AppendResult second = log().append(List.of(rows("c")));

    assertThat(first).isEqualTo(new AppendResult(1, 2, false));
    assertThat(second).isEqualTo(new AppendResult(3, 3, false));
    assertThat(log().nextLsn()).isEqualTo(4);
    assertThat(Frames.read(log(), 1))
        .containsExactly(
            new Read(1, FrameKind.ROWS, "a"),
            new Read(2, FrameKind.TOMBSTONES, ""),
            new Read(3, FrameKind.ROWS, "c"));
  }

  @Test
  void eachFrameKnowsWhatWasDurableBeforeItsGroup() throws Exception {
    log().append(List.of(rows("a"), rows("b")));
    log().append(List.of(rows("c"), rows("d")));

    try (SegmentReader reader = log().read(1)) {
      assertThat(reader.next()).map(Frame::durableLsn).contains(0L);
      assertThat(reader.next()).map(Frame::durableLsn).contains(0L);
      assertThat(reader.next()).map(Frame::durableLsn).contains(2L);
      assertThat(reader.next()).map(Frame::durableLsn).contains(2L);
      assertThat(reader.next()).isEmpty();
      assertThat(reader.next()).isEmpty();
    }
  }

  @Test
  void aBodyMayLieInManyBuffersOfBothKinds() throws Exception {
    ByteBuffer heap = ByteBuffer.wrap("xheapx".getBytes(StandardCharsets.UTF_8), 1, 4);
    ByteBuffer direct = ByteBuffer.allocateDirect(6).put("direct".getBytes(StandardCharsets.UTF_8));
    FrameBody body =
        FrameBody.of(List.of(heap, ByteBuffer.allocate(0), direct.flip(), heap.duplicate()));

    log().append(List.of(new FrameDraft(FrameKind.ROWS, body)));

    assertThat(heap.position()).isEqualTo(1);
    assertThat(Frames.bodies(log())).containsExactly("heapdirectheap");
  }

  @Test
  void aReaderMayLeaveBodiesUnreadAndCopiesEachOnce() throws Exception {
    log().append(List.of(rows("skipped"), rows("read")));

    try (SegmentReader reader = log().read(1)) {
      assertThatThrownBy(() -> reader.copyBody(ByteBuffer.allocate(99)))
          .isInstanceOf(IllegalStateException.class);
      assertThat(reader.next()).map(Frame::bodyLength).contains(7);
      assertThat(reader.next()).map(Frame::bodyLength).contains(4);
      assertThatThrownBy(() -> reader.copyBody(ByteBuffer.allocate(3)))
          .isInstanceOf(IllegalArgumentException.class);
      ByteBuffer target = ByteBuffer.allocate(10).position(2);
      reader.copyBody(target);
      assertThat(target.position()).isEqualTo(6);
      assertThat(new String(target.array(), 2, 4, StandardCharsets.UTF_8)).isEqualTo("read");
      assertThatThrownBy(() -> reader.copyBody(ByteBuffer.allocate(99)))
          .isInstanceOf(IllegalStateException.class);
    }
  }

  @Test
  void sealClosesTheSegmentAndTakesAnLsn() throws Exception {
    log().append(List.of(rows("a"), rows("b")));

    SealOutcome outcome = log().seal();

    assertThat(outcome)
        .isInstanceOfSatisfying(
            SealOutcome.Sealed.class,
            done -> {
              assertThat(done.nextSegment()).isEqualTo(2);
              assertThat(done.segment().number()).isEqualTo(1);
              assertThat(done.segment().sealed()).isTrue();
              assertThat(done.segment().firstLsn()).isEqualTo(1);
              assertThat(done.segment().lastLsn()).isEqualTo(2);
              assertThat(done.segment().frames()).isEqualTo(2);
              assertThat(done.segment().bytes()).isPositive();
            });
    assertThat(log().segments())
        .extracting(SegmentInfo::number, SegmentInfo::sealed, SegmentInfo::firstLsn)
        .containsExactly(tuple(1L, true, 1L), tuple(2L, false, 4L));
    assertThat(log().append(List.of(rows("c"))).firstLsn()).isEqualTo(4);
    assertThat(Frames.readAll(log())).extracting(Read::lsn).containsExactly(1L, 2L, 4L);
  }

  @Test
  void sealOfAnEmptySegmentDoesNothing() throws Exception {
    assertThat(log().seal()).isEqualTo(new SealOutcome.Empty(1));
    log().append(List.of(rows("a")));
    log().seal();
    assertThat(log().seal()).isEqualTo(new SealOutcome.Empty(2));
    assertThat(log().segments()).hasSize(2);
    assertThat(log().nextLsn()).isEqualTo(3);
  }

  @Test
  void advisesASealWhenTheSegmentHasReachedItsSize() throws Exception {
    assertThat(log().append(List.of(rows("x".repeat(1000)))).sealAdvised()).isFalse();
    assertThat(log().append(List.of(rows("x".repeat((int) SEGMENT_BYTES)))).sealAdvised()).isTrue();
    log().seal();
    assertThat(log().append(List.of(rows("x"))).sealAdvised()).isFalse();
  }

  @Test
  void dropRemovesSealedSegmentsUpToTheNumberAndNeverTheActiveOne() throws Exception {
    for (int i = 0; i < 3; i++) {
      log().append(List.of(rows("segment " + (i + 1))));
      log().seal();
    }
    log().append(List.of(rows("active")));

    log().dropThrough(2);
    log().dropThrough(2);
    assertThat(Frames.bodies(log())).containsExactly("segment 3", "active");
    log().dropThrough(99);
    assertThat(Frames.bodies(log())).containsExactly("active");
    assertThatThrownBy(() -> log().read(3)).isInstanceOf(IllegalArgumentException.class);
    assertThat(log().append(List.of(rows("more"))).firstLsn()).isEqualTo(8);
  }

  @Test
  void aStagedBodyIsReadLikeAnyOther() throws Exception {
    StagedBody unused = log().stage(Frames.body("given up"));
    StagedBody staged = log().stage(Frames.body("large"));
    log().discard(unused);
    assertThat(log().nextLsn()).isEqualTo(1);
    log()
        .append(
            List.of(rows("small"), new FrameDraft(FrameKind.TOMBSTONES, staged), rows("small")));
    log().seal();

    assertThat(Frames.read(log(), 1))
        .containsExactly(
            new Read(1, FrameKind.ROWS, "small"),
            new Read(2, FrameKind.TOMBSTONES, "large"),
            new Read(3, FrameKind.ROWS, "small"));
    log().dropThrough(1);
    assertThat(Frames.readAll(log())).isEmpty();
  }

  @Test
  void aReaderOfTheActiveSegmentSeesWhatWasDurableWhenItWasMade() throws Exception {
    log().append(List.of(rows("a")));
    try (SegmentReader reader = log().read(1)) {
      log().append(List.of(rows("b")));
      assertThat(reader.next()).map(Frame::lsn).contains(1L);
      assertThat(reader.next()).isEqualTo(Optional.empty());
    }
  }

  @Test
  void refusesEverythingOnceAbandonedOrClosedButStillReads() throws Exception {
    log().append(List.of(rows("a")));
    log().abandon(new LogDeadlineException("for the test", null));

    assertThatThrownBy(() -> log().append(List.of(rows("b"))))
        .isInstanceOf(LogRefusedException.class)
        .hasCauseInstanceOf(LogDeadlineException.class);
    assertThatThrownBy(() -> log().seal()).isInstanceOf(LogRefusedException.class);
    assertThat(Frames.bodies(log())).containsExactly("a");

    assertThat(log().close(Duration.ZERO)).isEqualTo(CloseOutcome.CLOSED);
    assertThatThrownBy(() -> log().append(List.of(rows("b"))))
        .isInstanceOf(LogRefusedException.class);
  }

  @Test
  void refusesAnEmptyGroupAndInternalKinds() throws Exception {
    assertThatThrownBy(() -> log().append(List.of())).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new FrameDraft(FrameKind.SEAL, Frames.body("")))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
