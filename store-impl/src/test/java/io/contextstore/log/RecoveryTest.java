package io.contextstore.log;

import static io.contextstore.log.Frames.rows;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.contextstore.log.Frames.Read;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What an open does with torn, damaged, foreign and half-made files. */
class RecoveryTest {
  private static final int FRAME = FrameHeader.LENGTH;

  @TempDir Path temporary;
  private Path folder;
  private Path first;
  private Path second;

  @BeforeEach
  void name() {
    folder = temporary.resolve("log");
    first = LogFiles.segment(folder, 1);
    second = LogFiles.segment(folder, 2);
  }

  /** On a folder that does not really sync, which these tests would mostly wait for. */
  private LocalLog open(long epoch, long watermark) {
    try {
      return LocalLog.open(
          new FaultyFolder(folder),
          Frames.IDENTITY,
          epoch,
          watermark,
          new LocalLogSettings(1 << 20));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private LocalLog open() {
    return open(1, 0);
  }

  /** Writes each body as a group of its own and leaves the segment without a footer. */
  private void write(String... bodies) {
    LocalLog log = open();
    for (String body : bodies) {
      log.append(List.of(rows(body)));
    }
    close(log);
  }

  private static void close(LocalLog log) {
    assertThat(log.close(Duration.ZERO)).isEqualTo(CloseOutcome.CLOSED);
  }

  private List<String> recovered() {
    LocalLog log = open();
    List<String> bodies = Frames.bodies(log);
    close(log);
    return bodies;
  }

  private List<Path> files() throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.sorted().toList();
    }
  }

  private static void put(Path file, long offset, int... bytes) throws IOException {
    byte[] content = Files.readAllBytes(file);
    for (int i = 0; i < bytes.length; i++) {
      content[(int) offset + i] = (byte) bytes[i];
    }
    Files.write(file, content);
  }

  private static void flip(Path file, long offset, int bit) throws IOException {
    byte[] content = Files.readAllBytes(file);
    content[(int) offset] ^= (byte) (1 << bit);
    Files.write(file, content);
  }

  private static void cut(Path file, long length) throws IOException {
    Files.write(file, Arrays.copyOf(Files.readAllBytes(file), (int) length));
  }

  // --- torn tails

  @Test
  void aLastFrameCutAtAnyLengthIsRemovedAndNothingElse() throws IOException {
    write("first", "second", "the third one");
    byte[] whole = Files.readAllBytes(first);
    long start = SegmentHeader.LENGTH + FrameHeader.frameLength(5) + FrameHeader.frameLength(6);
    long end = start + FRAME + "the third one".length();
    for (long length = start; length < whole.length; length++) {
      deleteAll();
      Files.write(first, Arrays.copyOf(whole, (int) length));
      // The filling behind the body is in no checksum, but a frame without it is not whole either.
      assertThat(recovered()).as("cut at %d of %d", length, end).containsExactly("first", "second");
      LocalLog log = open();
      assertThat(log.append(List.of(rows("new"))).firstLsn()).isEqualTo(4);
      close(log);
    }
    deleteAll();
    Files.write(first, whole);
    assertThat(recovered()).containsExactly("first", "second", "the third one");
  }

  @Test
  void aTornGroupIsRemovedAsFarAsItIsTorn() throws IOException {
    LocalLog log = open();
    log.append(List.of(rows("durable")));
    log.append(List.of(rows("group 1"), rows("group 2"), rows("group 3")));
    close(log);
    long secondOfGroup =
        SegmentHeader.LENGTH + FrameHeader.frameLength(7) + FrameHeader.frameLength(7);
    flip(first, secondOfGroup + FRAME, 3);

    // Group 3 is whole, but it was written when only LSN 1 was known to be durable.
    assertThat(recovered()).containsExactly("durable", "group 1");
  }

  @Test
  void zerosAndGarbageBehindTheLastFrameAreATornTail() throws IOException {
    Random random = new Random(7);
    for (int length : new int[] {1, 7, 8, 48, 4096, 100_000}) {
      for (boolean zeros : new boolean[] {true, false}) {
        deleteAll();
        write("one", "two");
        byte[] tail = new byte[length];
        if (!zeros) {
          random.nextBytes(tail);
        }
        byte[] before = Files.readAllBytes(first);
        byte[] content = Arrays.copyOf(before, before.length + length);
        System.arraycopy(tail, 0, content, before.length, length);
        Files.write(first, content);
        assertThat(recovered()).containsExactly("one", "two");
      }
    }
  }

  @Test
  void aFrameOfAnotherSegmentInsideABodyIsNotTakenForOneOfOurs() throws IOException {
    write("one", "two", "three");
    byte[] foreign = Files.readAllBytes(first);
    deleteAll();
    LocalLog log = open();
    log.append(List.of(rows("kept")));
    ByteBuffer body =
        ByteBuffer.wrap(foreign, SegmentHeader.LENGTH, foreign.length - SegmentHeader.LENGTH);
    log.append(List.of(new FrameDraft(FrameKind.ROWS, FrameBody.of(List.of(body)))));
    close(log);
    long hostile = SegmentHeader.LENGTH + FrameHeader.frameLength(4);
    put(first, hostile, 0, 0, 0, 0);

    assertThat(recovered()).containsExactly("kept");
  }

  @Test
  void theTornPlaceIsCutAndGetsAFooterBeforeTheNextSegmentIsThere() throws IOException {
    write("one", "two");
    cut(first, Files.size(first) - 3);
    LocalLog log = open();
    assertThat(log.segments())
        .containsExactly(
            new SegmentInfo(
                1,
                1,
                1,
                true,
                SegmentHeader.LENGTH + FrameHeader.frameLength(3) + SegmentFooter.FRAME_LENGTH,
                1),
            new SegmentInfo(2, 3, 2, false, SegmentHeader.LENGTH, 0));
    close(log);
    assertThat(Files.size(first))
        .isEqualTo(SegmentHeader.LENGTH + FrameHeader.frameLength(3) + SegmentFooter.FRAME_LENGTH);
  }

  // --- corruption

  @Test
  void damageBeforeAFrameThatKnewBetterIsRefusedWithFileAndOffset() throws IOException {
    write("one", "two", "three");
    long offset = SegmentHeader.LENGTH + FrameHeader.frameLength(3);
    byte[] whole = Files.readAllBytes(first);
    for (long at = offset; at < offset + FRAME + 3; at++) {
      Files.write(first, whole);
      flip(first, at, 5);
      byte[] damaged = Files.readAllBytes(first);
      assertThatThrownBy(this::open)
          .isInstanceOfSatisfying(
              LogCorruptException.class,
              e -> {
                assertThat(e.place()).isEqualTo("segment-0000000000000000001.log");
                assertThat(e.offset()).isEqualTo(offset);
                assertThat(e.retry()).isEqualTo(LogException.Retry.AFTER_REPAIR);
              })
          .hasMessageContaining("segment-0000000000000000001.log at offset " + offset);
      assertThat(Files.readAllBytes(first)).as("a refusal changes nothing").isEqualTo(damaged);
    }
  }

  @Test
  void everyBitOfASealedSegmentEitherDoesNotMatterOrIsNoticed() throws IOException {
    LocalLog log = open();
    log.append(List.of(rows("one"), rows("second")));
    log.append(List.of(rows("3")));
    log.seal();
    log.append(List.of(rows("active")));
    close(log);
    byte[] whole = Files.readAllBytes(first);
    byte[] active = Files.readAllBytes(second);
    List<String> all = List.of("one", "second", "3", "active");
    int footer = whole.length - SegmentFooter.FRAME_LENGTH;
    for (int at = 0; at < whole.length; at++) {
      deleteAll();
      Files.write(first, whole);
      Files.write(second, active);
      flip(first, at, at % 8);
      long frame = at < SegmentHeader.LENGTH ? 0 : frameAt(whole, at);
      Throwable problem = catchThrowable(() -> assertThat(recovered()).isEqualTo(all));
      if (at < SegmentHeader.LENGTH) {
        assertThat(problem)
            .as("header byte %d", at)
            .isInstanceOfSatisfying(
                LogCorruptException.class, e -> assertThat(e.offset()).isZero());
      } else if (at >= footer || isFilling(whole, at)) {
        // Nothing is lost with a footer: the next segment tells what it must have said.
        assertThat(problem).as("footer or filling, byte %d", at).isNull();
      } else {
        assertThat(problem)
            .as("frame byte %d", at)
            .isInstanceOfSatisfying(
                LogCorruptException.class, e -> assertThat(e.offset()).isEqualTo(frame));
      }
    }
  }

  private static long frameAt(byte[] segment, int at) {
    long offset = SegmentHeader.LENGTH;
    while (true) {
      long next = offset + frameLength(segment, offset);
      if (at < next) {
        return offset;
      }
      offset = next;
    }
  }

  private static boolean isFilling(byte[] segment, int at) {
    long frame = frameAt(segment, at);
    return at >= frame + FRAME + bodyLength(segment, frame);
  }

  private static long frameLength(byte[] segment, long frame) {
    return FrameHeader.frameLength(bodyLength(segment, frame));
  }

  private static int bodyLength(byte[] segment, long frame) {
    return ByteBuffer.wrap(segment).order(ByteOrder.LITTLE_ENDIAN).getInt((int) frame + 32);
  }

  @Test
  void everyBitOfALastSegmentCostsAtMostWhatWasNotProvenDurable() throws IOException {
    write("one", "second", "3");
    byte[] whole = Files.readAllBytes(first);
    long lastFrame = whole.length - FrameHeader.frameLength(1);
    for (int at = 0; at < whole.length; at++) {
      deleteAll();
      Files.write(first, whole);
      flip(first, at, at % 8);
      List<String> found = new ArrayList<>();
      Throwable problem = catchThrowable(() -> found.addAll(recovered()));
      if (problem != null) {
        assertThat(at).isLessThan((int) lastFrame);
        assertThat(problem).isInstanceOf(LogCorruptException.class);
      } else if (isFilling(whole, at)) {
        assertThat(found).containsExactly("one", "second", "3");
      } else {
        assertThat(at).isGreaterThanOrEqualTo((int) lastFrame);
        assertThat(found).containsExactly("one", "second");
      }
    }
  }

  @Test
  void bytesBehindAFooterAreRefused() throws IOException {
    LocalLog log = open();
    log.append(List.of(rows("one")));
    log.seal();
    close(log);
    long size = Files.size(first);
    Files.write(first, Arrays.copyOf(Files.readAllBytes(first), (int) size + 8));
    assertThatThrownBy(this::open)
        .isInstanceOfSatisfying(
            LogCorruptException.class, e -> assertThat(e.offset()).isEqualTo(size));
  }

  @Test
  void aSealedSegmentCutShortIsRefused() throws IOException {
    LocalLog log = open();
    log.append(List.of(rows("one")));
    log.append(List.of(rows("two")));
    log.seal();
    close(log);
    long end = SegmentHeader.LENGTH + FrameHeader.frameLength(3);
    cut(first, end + 20);
    assertThatThrownBy(this::open)
        .isInstanceOfSatisfying(
            LogCorruptException.class, e -> assertThat(e.offset()).isEqualTo(end))
        .hasMessageContaining("the next segment begins with 4");
  }

  @Test
  void aMissingFooterBeforeAnotherSegmentIsWrittenAgain() throws IOException {
    LocalLog log = open();
    log.append(List.of(rows("one")));
    log.seal();
    log.append(List.of(rows("two")));
    close(log);
    byte[] whole = Files.readAllBytes(first);
    for (int length = whole.length - SegmentFooter.FRAME_LENGTH; length < whole.length; length++) {
      cut(first, length);
      assertThat(recovered()).containsExactly("one", "two");
      assertThat(Files.readAllBytes(first)).isEqualTo(whole);
    }
  }

  // --- somebody else's files

  @Test
  void refusesAnotherStoresSchemasOrNewerOwnersLog() {
    write("one");
    LogIdentity otherStore = new LogIdentity("ffffffff", Frames.IDENTITY.schemaFingerprint());
    LogIdentity otherSchema = new LogIdentity(Frames.IDENTITY.incarnation(), "00".repeat(32));
    for (LogIdentity other : List.of(otherStore, otherSchema)) {
      assertThatThrownBy(() -> LocalLog.open(folder, other, 1, 0, LocalLogSettings.DEFAULT))
          .isInstanceOf(LogMismatchException.class)
          .hasMessageContaining("expected was");
    }
    close(open(7, 0));
    assertThatThrownBy(() -> open(6, 0))
        .isInstanceOf(LogMismatchException.class)
        .hasMessageContaining("newer owner");
  }

  @Test
  void refusesAnEpochThatGoesBackwardsInTheMiddle() throws IOException {
    for (long epoch = 1; epoch <= 3; epoch++) {
      LocalLog log = open(epoch, 0);
      log.append(List.of(rows("epoch " + epoch)));
      close(log);
    }
    SegmentHeader old = header(second);
    ByteBuffer changed =
        new SegmentHeader(old.identity(), 2, old.firstLsn(), 9, old.salt()).encode();
    byte[] content = Files.readAllBytes(second);
    changed.get(content, 0, SegmentHeader.LENGTH);
    Files.write(second, content);
    assertThatThrownBy(() -> open(20, 0))
        .isInstanceOf(LogMismatchException.class)
        .hasMessageContaining("owner epoch 9");
  }

  private static SegmentHeader header(Path file) throws IOException {
    return ((SegmentHeader.Parsed.Whole)
            SegmentHeader.parse(ByteBuffer.wrap(Files.readAllBytes(file))))
        .header();
  }

  @Test
  void refusesANewerFormatVersion() throws IOException {
    write("one");
    byte[] content = Files.readAllBytes(first);
    content[8] = 2;
    CRC32C crc = new CRC32C();
    crc.update(content, 0, 92);
    ByteBuffer.wrap(content).order(ByteOrder.LITTLE_ENDIAN).putInt(92, (int) crc.getValue());
    Files.write(first, content);
    assertThatThrownBy(this::open)
        .isInstanceOf(LogMismatchException.class)
        .hasMessageContaining("format version 2");
  }

  @Test
  void refusesAFileThatHasAnothersName() throws IOException {
    write("one");
    Files.copy(first, second);
    assertThatThrownBy(this::open)
        .isInstanceOf(LogMismatchException.class)
        .hasMessageContaining("calls itself segment 1");
  }

  @Test
  void refusesAMissingSegmentAboveTheWatermarkAndMindsNoneBelow() throws IOException {
    for (int i = 1; i <= 4; i++) {
      write("segment " + i);
    }
    Files.delete(second);
    assertThatThrownBy(() -> open(1, 0))
        .isInstanceOf(LogMismatchException.class)
        .hasMessageContaining("no segment 2");
    assertThatThrownBy(() -> open(1, 1)).isInstanceOf(LogMismatchException.class);
    LocalLog log = open(1, 2);
    assertThat(Frames.bodies(log)).containsExactly("segment 3", "segment 4");
    close(log);
    Files.delete(LogFiles.segment(folder, 3));
    assertThatThrownBy(() -> open(1, 2))
        .isInstanceOf(LogMismatchException.class)
        .hasMessageContaining("no segment 3");
  }

  @Test
  void refusesAnEmptyFolderWhenSegmentsWereMerged() {
    assertThatThrownBy(() -> open(1, 3))
        .isInstanceOf(LogMismatchException.class)
        .hasMessageContaining("missing");
    write("one");
    assertThatThrownBy(() -> open(1, 2))
        .isInstanceOf(LogMismatchException.class)
        .hasMessageContaining("no segment 2");
  }

  @Test
  void leavesFilesAloneThatAreNotOurs() throws IOException {
    write("one");
    Path other = Files.writeString(folder.resolve("synced-watermark"), "1");
    Path odd = Files.writeString(folder.resolve("segment-1.log"), "x");
    Path huge = Files.writeString(folder.resolve("segment-9999999999999999999.log"), "x");
    assertThat(recovered()).containsExactly("one");
    assertThat(other).exists();
    assertThat(odd).exists();
    assertThat(huge).exists();
  }

  // --- what crashes leave

  @Test
  void restartsPileUpNoEmptySegments() throws IOException {
    write("one");
    for (long epoch = 1; epoch <= 5; epoch++) {
      close(open(epoch, 0));
      assertThat(files()).containsExactly(first, second);
      assertThat(header(second).ownerEpoch()).isEqualTo(epoch);
    }
    LocalLog log = open(5, 0);
    assertThat(log.append(List.of(rows("two"))).firstLsn()).isEqualTo(3);
    close(log);
  }

  @Test
  void anEmptySegmentThatIsTheOnlyFileKeepsTheLsn() throws IOException {
    write("one", "two");
    LocalLog log = open(1, 0);
    log.dropThrough(1);
    close(log);
    assertThat(files()).containsExactly(second);
    log = open(2, 1);
    assertThat(log.nextLsn()).isEqualTo(4);
    assertThat(header(second).ownerEpoch()).isEqualTo(2);
    close(log);
  }

  @Test
  void anEmptySegmentAtTheWatermarkIsNotUsedForNewRows() throws IOException {
    close(open(1, 0));
    LocalLog log = open(1, 1);
    assertThat(log.segments()).extracting(SegmentInfo::number).containsExactly(2L);
    assertThat(log.nextLsn()).isEqualTo(2);
    close(log);
    assertThat(files()).containsExactly(second);
  }

  @Test
  void aHalfMadeSegmentUnderItsTemporaryNameIsRemoved() throws IOException {
    write("one");
    Path half = LogFiles.temporary(second);
    Files.write(half, new byte[50]);
    assertThat(recovered()).containsExactly("one");
    assertThat(files()).containsExactly(first, second);
  }

  @Test
  void aLastFileWithATornHeaderIsMadeAgain() throws IOException {
    write("one");
    for (int length : new int[] {0, 1, 50, 95, 96}) {
      Files.write(second, new byte[length]);
      LocalLog log = open();
      assertThat(Frames.bodies(log)).containsExactly("one");
      assertThat(log.nextLsn()).isEqualTo(3);
      close(log);
    }
  }

  @Test
  void theVeryFirstFileWithATornHeaderIsMadeAgain() throws IOException {
    Files.createDirectories(folder);
    Files.write(first, new byte[10]);
    assertThat(recovered()).isEmpty();
  }

  @Test
  void aTornHeaderThatNobodyCanReplaceIsRefused() throws IOException {
    write("one");
    LocalLog log = open();
    log.dropThrough(1);
    close(log);
    cut(second, 40);
    assertThatThrownBy(() -> open(1, 1))
        .isInstanceOf(LogCorruptException.class)
        .hasMessageContaining("no other file knows the next LSN");
  }

  @Test
  void aDamagedHeaderWithFramesBehindItIsRefused() throws IOException {
    write("one");
    put(first, 20, 'x');
    assertThatThrownBy(this::open)
        .isInstanceOfSatisfying(LogCorruptException.class, e -> assertThat(e.offset()).isZero());
  }

  @Test
  void aSealThatStoppedBehindTheFooterGoesOnAtOpen() throws IOException {
    LocalLog log = open();
    log.append(List.of(rows("one")));
    log.seal();
    close(log);
    Files.delete(second);
    log = open();
    assertThat(log.segments()).extracting(SegmentInfo::number).containsExactly(1L, 2L);
    assertThat(log.nextLsn()).isEqualTo(3);
    close(log);
  }

  @Test
  void aDropThatStoppedHalfWayGoesOnAtOpen() throws IOException {
    for (int i = 1; i <= 3; i++) {
      write("segment " + i);
    }
    Files.delete(first);
    LocalLog log = open(1, 2);
    assertThat(Frames.bodies(log)).containsExactly("segment 3");
    close(log);
    assertThat(files()).doesNotContain(second).hasSize(2);
  }

  @Test
  void damageAtOrBelowTheWatermarkDoesNotMatter() throws IOException {
    for (int i = 1; i <= 3; i++) {
      write("segment " + i);
    }
    put(first, 0, 1, 2, 3);
    put(second, 120, 1, 2, 3);
    LocalLog log = open(1, 2);
    assertThat(Frames.bodies(log)).containsExactly("segment 3");
    close(log);
  }

  // --- large bodies

  @Test
  void aPayloadWithoutAFrameIsRemovedAndOneWithAFrameIsKept() throws IOException {
    LocalLog log = open();
    StagedBody used = log.stage(Frames.body("used"));
    StagedBody orphan = log.stage(Frames.body("orphan"));
    log.append(List.of(new FrameDraft(FrameKind.ROWS, used)));
    close(log);
    assertThat(LogFiles.payload(folder, orphan.number())).exists();
    for (int i = 0; i < 2; i++) {
      assertThat(recovered()).containsExactly("used");
      assertThat(LogFiles.payload(folder, orphan.number())).doesNotExist();
    }
    log = open(1, 1);
    assertThat(files()).containsExactly(second);
    close(log);
  }

  @Test
  void aMissingOrShortPayloadIsRefusedAtOpenAndADamagedOneAtRead() throws IOException {
    LocalLog log = open();
    StagedBody staged = log.stage(Frames.body("a large body"));
    log.append(List.of(rows("before"), new FrameDraft(FrameKind.ROWS, staged)));
    close(log);
    Path payload = LogFiles.payload(folder, staged.number());
    byte[] whole = Files.readAllBytes(payload);
    long frame = SegmentHeader.LENGTH + FrameHeader.frameLength(6);

    for (int round = 0; round < 2; round++) {
      Files.delete(payload);
      assertThatThrownBy(this::open)
          .isInstanceOfSatisfying(
              LogCorruptException.class, e -> assertThat(e.offset()).isEqualTo(frame))
          .hasMessageContaining("missing");
      Files.write(payload, Arrays.copyOf(whole, whole.length - 1));
      assertThatThrownBy(this::open).isInstanceOf(LogCorruptException.class);
      Files.write(payload, whole);
      flip(payload, 33, 1);
      assertThatThrownBy(this::open)
          .isInstanceOf(LogCorruptException.class)
          .hasMessageContaining("header");
      Files.write(payload, whole);
      flip(payload, whole.length - 1, 1);
      assertThatThrownBy(this::recovered)
          .isInstanceOf(LogCorruptException.class)
          .hasMessageContaining("checksum of the payload");
      Files.write(payload, whole);
      // In the second round the segment is sealed.
      assertThat(recovered()).containsExactly("before", "a large body");
    }
  }

  @Test
  void aPayloadLargerThanASliceIsWrittenWhole() {
    LocalLog log = open();
    ByteBuffer large = ByteBuffer.allocateDirect(9 << 20);
    new Random(1).ints((9 << 20) / 4).forEach(large::putInt);
    large.flip();
    StagedBody staged =
        log.stage(FrameBody.of(List.of(large.slice(0, 5), large.slice(5, (9 << 20) - 5))));
    log.append(List.of(new FrameDraft(FrameKind.ROWS, staged)));
    try (SegmentReader reader = log.read(1)) {
      assertThat(reader.next()).map(Frame::bodyLength).contains(9 << 20);
      ByteBuffer copy = ByteBuffer.allocateDirect(9 << 20);
      reader.copyBody(copy);
      assertThat(copy.flip()).isEqualTo(large);
    }
    assertThat(log.segments().getFirst().bytes()).isGreaterThan(9 << 20);
    close(log);
  }

  @Test
  void manyFramesOfAllLengthsComeBack() {
    LocalLog log = open();
    List<Read> expected = new ArrayList<>();
    for (int length = 0; length < 300; length++) {
      String body = "b".repeat(length * length % 70_001);
      expected.add(new Read(log.nextLsn(), FrameKind.ROWS, body));
      log.append(List.of(rows(body)));
    }
    close(log);
    log = open();
    assertThat(Frames.readAll(log)).isEqualTo(expected);
    close(log);
  }

  private void deleteAll() throws IOException {
    if (Files.isDirectory(folder)) {
      for (Path file : files()) {
        Files.delete(file);
      }
    }
  }
}
