package io.contextstore.log;

import io.contextstore.log.FrameWalk.Step;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;

/**
 * Opens a log folder: first reads and judges everything, then mends. So a refusal changes nothing,
 * and each step of the mending leaves a folder that the next open judges in the same way.
 *
 * <p>What a crash can leave, and what is done about it:
 *
 * <ul>
 *   <li><b>a {@code .tmp} file</b>, from the making of a segment: removed.
 *   <li><b>the last segment ends in a part of a group</b>: if nothing behind the bad place proves
 *       that it was once synced, cut behind the last good frame.
 *   <li><b>the last segment has no footer</b>: the footer is written; after that, and only after
 *       that, the next segment is made. A crash in between leaves a sealed last segment, and the
 *       next open goes on from there.
 *   <li><b>the last segment is empty</b>: used again if it is of this owner epoch, else replaced,
 *       in one rename, by an empty one of the same number. It is not removed first: it may be the
 *       only file that knows the next LSN.
 *   <li><b>the last file has no whole header and nothing behind it</b>: it never held anything;
 *       removed, if the file before it, or being the very first, tells what must follow.
 *   <li><b>a payload file that no frame refers to</b>, from a request that did not get as far or
 *       from an unfinished removal: removed.
 *   <li><b>segments at or below the watermark</b>, all or some, from an unfinished removal: removed
 *       last, when the segment that carries the LSN on is durable. Gaps among them mean nothing.
 * </ul>
 *
 * A segment that is not the last and has no footer cannot come from a crash, because footers are
 * synced before there is a next segment. If nothing but the footer is missing, judged by the first
 * LSN of the next segment, it is written again; else acknowledged frames are missing, and that is
 * corruption.
 */
final class Recovery {
  private static final SecureRandom SALTS = new SecureRandom();

  /** The log as it is after the open. */
  record Recovered(List<LocalSegment> sealed, ActiveSegment active, long nextPayload) {}

  /** A segment file that was read; nothing was changed yet. */
  private record Judged(Path file, SegmentHeader header, long size, State state) {
    long nextLsn() {
      return switch (state) {
        case State.Sealed done -> done.segment().info().lastLsn() + 2;
        case State.Open open -> header.firstLsn() + open.frames();
      };
    }

    List<Long> payloads() {
      return switch (state) {
        case State.Sealed done -> done.segment().payloads();
        case State.Open open -> open.payloads();
      };
    }
  }

  private sealed interface State {
    record Sealed(LocalSegment segment) implements State {}

    /**
     * No footer.
     *
     * @param end behind the last good frame; before the file's end if the tail is torn
     * @param tail from where on the frames may never have been synced
     */
    record Open(long end, long frames, long tail, List<Long> payloads, long payloadBytes)
        implements State {}
  }

  private final LogFolder folder;
  private final LogIdentity identity;
  private final long ownerEpoch;
  private final long watermark;
  private final List<Path> temporaries = new ArrayList<>();
  private final NavigableMap<Long, Path> files = new TreeMap<>();
  private final NavigableMap<Long, Path> payloads = new TreeMap<>();
  private Optional<Path> unborn = Optional.empty();

  Recovery(LogFolder folder, LogIdentity identity, long ownerEpoch, long watermark) {
    this.folder = folder;
    this.identity = identity;
    this.ownerEpoch = ownerEpoch;
    this.watermark = watermark;
  }

  /** A header for a new segment of this owner. */
  static SegmentHeader newHeader(
      LogIdentity identity, long number, long firstLsn, long ownerEpoch) {
    return new SegmentHeader(identity, number, firstLsn, ownerEpoch, newSalt());
  }

  static long newSalt() {
    return SALTS.nextLong();
  }

  Recovered run() throws IOException {
    list();
    setUnbornAside();
    requireNoGap();
    List<Judged> judged = judge();
    return mend(judged);
  }

  private void list() throws IOException {
    for (Path file : folder.list()) {
      OptionalLong number = LogFiles.segmentNumber(file);
      OptionalLong payload = LogFiles.payloadNumber(file);
      if (number.isPresent()) {
        files.put(number.getAsLong(), file);
      } else if (payload.isPresent()) {
        payloads.put(payload.getAsLong(), file);
      } else if (LogFiles.isTemporary(file)) {
        temporaries.add(file);
      }
    }
  }

  private void setUnbornAside() throws IOException {
    if (files.isEmpty()) {
      return;
    }
    Map.Entry<Long, Path> last = files.lastEntry();
    try (FileChannel channel = folder.read(last.getValue())) {
      if (channel.size() > SegmentHeader.LENGTH
          || !(parseHeader(new FileWindow(channel, channel.size()))
              instanceof SegmentHeader.Parsed.Damaged)) {
        return;
      }
    }
    boolean isFirstEver = last.getKey() == 1 && watermark == 0;
    if (!isFirstEver && !files.containsKey(last.getKey() - 1)) {
      throw new LogCorruptException(
          name(last.getValue()), 0, "the header is damaged and no other file knows the next LSN");
    }
    unborn = Optional.of(last.getValue());
    files.remove(last.getKey());
  }

  private void requireNoGap() {
    if (files.isEmpty()) {
      if (watermark > 0) {
        throw new LogMismatchException(
            "the log in %s is empty, but segments up to %d were merged into the table: the log's files are missing"
                .formatted(folder.path(), watermark),
            null);
      }
      return;
    }
    if (files.lastKey() < watermark) {
      throw missing(files.lastKey() + 1);
    }
    for (long number = watermark + 1; number < files.lastKey(); number++) {
      if (!files.containsKey(number)) {
        throw missing(number);
      }
    }
  }

  private LogMismatchException missing(long number) {
    return new LogMismatchException(
        "the log in %s has no segment %d, but needs it: segments up to %d were merged, the last is %d"
            .formatted(folder.path(), number, watermark, files.lastKey()),
        null);
  }

  /** Reads what is above the watermark, or else the last segment, which knows the next LSN. */
  private List<Judged> judge() throws IOException {
    List<Judged> judged = new ArrayList<>();
    if (files.isEmpty()) {
      return judged;
    }
    long from = Math.min(watermark + 1, files.lastKey());
    for (Map.Entry<Long, Path> entry : files.tailMap(from, true).entrySet()) {
      judged.add(judge(entry.getKey(), entry.getValue()));
    }
    for (int i = 0; i < judged.size(); i++) {
      Judged segment = judged.get(i);
      long epochLimit =
          i + 1 < judged.size() ? judged.get(i + 1).header().ownerEpoch() : ownerEpoch;
      if (segment.header().ownerEpoch() > epochLimit) {
        throw new LogMismatchException(
            "%s belongs to owner epoch %d, what comes after it to %d: the log has a newer owner"
                .formatted(name(segment.file()), segment.header().ownerEpoch(), epochLimit),
            null);
      }
      if (i + 1 < judged.size()) {
        requireConnected(segment, judged.get(i + 1));
      }
    }
    return judged;
  }

  private static void requireConnected(Judged segment, Judged next) {
    long expected =
        segment.state() instanceof State.Sealed ? segment.nextLsn() : segment.nextLsn() + 1;
    if (next.header().firstLsn() != expected) {
      long place = segment.state() instanceof State.Open open ? open.end() : segment.size();
      throw new LogCorruptException(
          name(segment.file()),
          place,
          "its frames end before LSN %d, but the next segment begins with %d"
              .formatted(segment.nextLsn(), next.header().firstLsn()));
    }
  }

  private Judged judge(long number, Path file) throws IOException {
    try (FileChannel channel = folder.read(file)) {
      long size = channel.size();
      FileWindow window = new FileWindow(channel, size);
      SegmentHeader header = requireHeader(number, file, window);
      Optional<SegmentFooter> footer = FrameWalk.footerAtEnd(window, header);
      State state =
          footer.isPresent()
              ? judgeSealed(file, window, header, footer.get())
              : judgeOpen(file, window, header);
      return new Judged(file, header, size, state);
    }
  }

  /** Its frames were whole when the footer was written; they are verified when they are read. */
  private State judgeSealed(
      Path file, FileWindow window, SegmentHeader header, SegmentFooter footer) throws IOException {
    List<Long> numbers = List.of();
    if (footer.payloads() > 0 && header.number() > watermark) {
      FrameWalk walk = new FrameWalk(window, header, false);
      Step step = walk.next();
      while (step instanceof Step.Data data) {
        requirePayload(file, data);
        step = walk.next();
      }
      if (!(step instanceof Step.Seal)) {
        throw new LogCorruptException(
            name(file), walk.offset(), "a frame before the footer is damaged");
      }
      numbers = walk.payloads();
    }
    SegmentInfo info =
        new SegmentInfo(
            header.number(),
            header.firstLsn(),
            footer.lastLsn(),
            true,
            window.limit() + footer.payloadBytes(),
            footer.frames());
    return new State.Sealed(new LocalSegment(info, window.limit(), numbers));
  }

  /** A frame is written after its payload is durable, so no crash separates them. */
  private void requirePayload(Path file, Step.Data data) throws IOException {
    if (data.payload().isPresent()) {
      String problem = PayloadFile.problem(folder, identity, data.payload().get());
      if (!problem.isEmpty()) {
        throw new LogCorruptException(name(file), data.offset(), problem);
      }
    }
  }

  private SegmentHeader requireHeader(long number, Path file, FileWindow window)
      throws IOException {
    return switch (parseHeader(window)) {
      case SegmentHeader.Parsed.Damaged damaged ->
          throw new LogCorruptException(name(file), 0, "the segment header is damaged");
      case SegmentHeader.Parsed.OtherVersion other ->
          throw new LogMismatchException(
              "%s has format version %d, which this version does not know"
                  .formatted(name(file), other.version()),
              null);
      case SegmentHeader.Parsed.Whole whole -> {
        SegmentHeader header = whole.header();
        if (!header.identity().equals(identity)) {
          throw new LogMismatchException(
              "%s belongs to %s, expected was %s"
                  .formatted(name(file), header.identity(), identity),
              null);
        }
        if (header.number() != number) {
          throw new LogMismatchException(
              "%s calls itself segment %d".formatted(name(file), header.number()), null);
        }
        yield header;
      }
    };
  }

  private static SegmentHeader.Parsed parseHeader(FileWindow window) throws IOException {
    int index = window.seek(0, SegmentHeader.LENGTH);
    return SegmentHeader.parse(window.bytes().slice(index, window.bytes().limit() - index));
  }

  /** Reads the frames of a segment without a footer at its end. */
  private State judgeOpen(Path file, FileWindow window, SegmentHeader header) throws IOException {
    FrameWalk walk = new FrameWalk(window, header, true);
    while (true) {
      switch (walk.next()) {
        case Step.Data data -> requirePayload(file, data);
        case Step.End end -> {
          return openAt(walk);
        }
        case Step.Bad bad -> {
          Optional<Long> proof = walk.proofOfCorruption();
          if (proof.isPresent()) {
            throw new LogCorruptException(
                name(file),
                walk.offset(),
                "%s, although the whole frame at offset %d knew LSN %d to be synced"
                    .formatted(bad.problem(), proof.get(), walk.nextLsn()));
          }
          return openAt(walk);
        }
        case Step.Seal seal ->
            throw new LogCorruptException(
                name(file), walk.offset(), "there are bytes behind the footer");
        case Step.Contradiction contradiction ->
            throw new LogCorruptException(name(file), walk.offset(), contradiction.problem());
        case Step.Unknown unknown ->
            throw LocalSegmentReader.unknown(name(file), unknown.kindCode());
      }
    }
  }

  private static State openAt(FrameWalk walk) {
    return new State.Open(
        walk.offset(), walk.frames(), walk.tail(), walk.payloads(), walk.payloadBytes());
  }

  private Recovered mend(List<Judged> judged) throws IOException {
    removeLeftovers();
    long nextPayload = payloads.isEmpty() ? 1 : payloads.lastKey() + 1;
    if (judged.isEmpty()) {
      return new Recovered(
          List.of(),
          ActiveSegment.create(folder, newHeader(identity, 1, 1, ownerEpoch)),
          nextPayload);
    }
    List<LocalSegment> closed = new ArrayList<>();
    for (Judged segment : judged.subList(0, judged.size() - 1)) {
      closed.add(seal(segment));
    }
    Judged last = judged.getLast();
    ActiveSegment active;
    if (last.state() instanceof State.Open open
        && open.frames() == 0
        && last.header().number() > watermark) {
      active = reuse(last, open);
    } else {
      LocalSegment segment = seal(last);
      closed.add(segment);
      SegmentInfo info = segment.info();
      active =
          ActiveSegment.create(
              folder, newHeader(identity, info.number() + 1, info.lastLsn() + 2, ownerEpoch));
    }
    try {
      removeUnneeded(judged);
    } catch (IOException | RuntimeException | Error e) {
      closeAfter(active, e);
      throw e;
    }
    closed.removeIf(segment -> segment.info().number() <= watermark);
    return new Recovered(List.copyOf(closed), active, nextPayload);
  }

  private void removeLeftovers() throws IOException {
    for (Path file : temporaries) {
      folder.delete(file);
    }
    if (unborn.isPresent()) {
      folder.delete(unborn.get());
    }
    if (unborn.isPresent() || !temporaries.isEmpty()) {
      folder.sync();
    }
  }

  private LocalSegment seal(Judged segment) throws IOException {
    return switch (segment.state()) {
      case State.Sealed done -> done.segment();
      case State.Open open -> {
        ActiveSegment writing = reopen(segment, open);
        LocalSegment done;
        try {
          done = writing.seal();
        } catch (IOException | RuntimeException | Error e) {
          closeAfter(writing, e);
          throw e;
        }
        writing.close();
        yield done;
      }
    };
  }

  private ActiveSegment reuse(Judged segment, State.Open open) throws IOException {
    SegmentHeader header = segment.header();
    return header.ownerEpoch() == ownerEpoch
        ? reopen(segment, open)
        : ActiveSegment.create(
            folder, newHeader(identity, header.number(), header.firstLsn(), ownerEpoch));
  }

  private ActiveSegment reopen(Judged segment, State.Open open) throws IOException {
    ActiveSegment writing =
        new ActiveSegment(
            segment.header(),
            folder.append(segment.file()),
            open.end(),
            open.frames(),
            open.payloads(),
            open.payloadBytes());
    try {
      writing.cut();
      // The last group may be one whose sync failed: then it is in memory, where it was read, and
      // the system believes it to be on disk. Only writing it again makes a sync mean something.
      writing.rewrite(open.tail());
    } catch (IOException | RuntimeException | Error e) {
      closeAfter(writing, e);
      throw e;
    }
    return writing;
  }

  /** Merged segments, and payloads that no segment above the watermark refers to. */
  private void removeUnneeded(List<Judged> judged) throws IOException {
    Set<Long> needed = new HashSet<>();
    for (Judged segment : judged) {
      if (segment.header().number() > watermark) {
        needed.addAll(segment.payloads());
      }
    }
    for (Path file : files.headMap(watermark, true).values()) {
      folder.delete(file);
    }
    for (Map.Entry<Long, Path> payload : payloads.entrySet()) {
      if (!needed.contains(payload.getKey())) {
        folder.delete(payload.getValue());
      }
    }
    // Also without a removal: an empty segment that is used again may have got its name from a
    // process that died before it could sync the folder.
    folder.sync();
  }

  private static void closeAfter(ActiveSegment segment, Throwable failure) {
    try {
      segment.close();
    } catch (IOException e) {
      failure.addSuppressed(e);
    }
  }

  private static String name(Path file) {
    return String.valueOf(file.getFileName());
  }
}
