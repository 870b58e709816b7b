package io.contextstore.log;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** A log for tests that need no disk. Loses everything with the object. */
public final class InMemoryLog implements WriteAheadLog {
  private record Stored(FrameKind kind, long lsn, long durableLsn, ByteBuffer body) {}

  private record Segment(SegmentInfo info, List<Stored> frames) {}

  private final long segmentBytes;
  private final AtomicReference<List<Segment>> segments;
  private final AtomicReference<@Nullable LogException> refusal = new AtomicReference<>();
  private final Map<Long, ByteBuffer> staged = new ConcurrentHashMap<>();
  private final AtomicLong nextStaged = new AtomicLong(1);
  private volatile boolean closed;

  /**
   * An empty log.
   *
   * @param segmentBytes size at which a seal is advised
   */
  public InMemoryLog(long segmentBytes) {
    this.segmentBytes = segmentBytes;
    this.segments = new AtomicReference<>(List.of(empty(1, 1)));
  }

  private static Segment empty(long number, long firstLsn) {
    return new Segment(new SegmentInfo(number, firstLsn, firstLsn - 1, false, 0, 0), List.of());
  }

  @Override
  public AppendResult append(List<FrameDraft> group) {
    requireUsable();
    if (group.isEmpty()) {
      throw new IllegalArgumentException("an empty group");
    }
    Segment active = segments.get().getLast();
    long durable = active.info().lastLsn();
    List<Stored> frames = new ArrayList<>(active.frames());
    long bytes = active.info().bytes();
    long lsn = durable;
    for (FrameDraft draft : group) {
      frames.add(new Stored(draft.kind(), ++lsn, durable, bytes(draft.content())));
      bytes += draft.content().length();
    }
    SegmentInfo info =
        new SegmentInfo(
            active.info().number(), active.info().firstLsn(), lsn, false, bytes, frames.size());
    replaceActive(new Segment(info, frames));
    return new AppendResult(durable + 1, lsn, bytes >= segmentBytes);
  }

  private ByteBuffer bytes(FrameContent content) {
    return switch (content) {
      case FrameBody body -> copy(body);
      case StagedBody body -> {
        ByteBuffer bytes = staged.remove(body.number());
        if (bytes == null) {
          throw new IllegalArgumentException("not staged here, or given up: " + body);
        }
        yield bytes;
      }
    };
  }

  private static ByteBuffer copy(FrameBody body) {
    List<ByteBuffer> parts = new ArrayList<>();
    body.addTo(parts);
    ByteBuffer bytes = ByteBuffer.allocate(body.length());
    parts.forEach(bytes::put);
    return bytes.flip().asReadOnlyBuffer();
  }

  @Override
  public StagedBody stage(FrameBody body) {
    requireUsable();
    StagedBody number = new StagedBody(nextStaged.getAndIncrement(), body.length(), 0, 0);
    staged.put(number.number(), copy(body));
    return number;
  }

  @Override
  public void discard(StagedBody body) {
    staged.remove(body.number());
  }

  @Override
  public SealOutcome seal() {
    requireUsable();
    Segment active = segments.get().getLast();
    SegmentInfo open = active.info();
    if (open.isEmpty()) {
      return new SealOutcome.Empty(open.number());
    }
    SegmentInfo sealed =
        new SegmentInfo(
            open.number(), open.firstLsn(), open.lastLsn(), true, open.bytes(), open.frames());
    replaceActive(
        new Segment(sealed, active.frames()), empty(open.number() + 1, open.lastLsn() + 2));
    return new SealOutcome.Sealed(sealed, open.number() + 1);
  }

  private void replaceActive(Segment... changed) {
    segments.updateAndGet(
        before -> {
          List<Segment> after = new ArrayList<>(before.subList(0, before.size() - 1));
          after.addAll(List.of(changed));
          return List.copyOf(after);
        });
  }

  private void requireUsable() {
    LogException reason = refusal.get();
    if (reason != null || closed) {
      throw new LogRefusedException("the log takes nothing", reason);
    }
  }

  @Override
  public long nextLsn() {
    return segments.get().getLast().info().lastLsn() + 1;
  }

  @Override
  public List<SegmentInfo> segments() {
    return segments.get().stream().map(Segment::info).toList();
  }

  @Override
  public SegmentReader read(long number) {
    for (Segment segment : segments.get()) {
      if (segment.info().number() == number) {
        return new Reader(segment.frames());
      }
    }
    throw new IllegalArgumentException("the log has no segment " + number);
  }

  @Override
  public void dropThrough(long number) {
    segments.updateAndGet(
        before ->
            before.stream()
                .filter(segment -> segment.info().number() > number || !segment.info().sealed())
                .toList());
  }

  @Override
  public void abandon(LogException reason) {
    refusal.compareAndSet(null, reason);
  }

  @Override
  public CloseOutcome close(Duration patience) {
    closed = true;
    return CloseOutcome.CLOSED;
  }

  private static final class Reader implements SegmentReader {
    private final List<Stored> frames;
    private int next;
    private @Nullable Stored unread;

    Reader(List<Stored> frames) {
      this.frames = frames;
    }

    @Override
    public Optional<Frame> next() {
      if (next == frames.size()) {
        unread = null;
        return Optional.empty();
      }
      Stored frame = frames.get(next++);
      unread = frame;
      return Optional.of(
          new Frame(frame.kind(), frame.lsn(), frame.durableLsn(), frame.body().remaining()));
    }

    @Override
    public void copyBody(ByteBuffer target) {
      Stored frame = unread;
      if (frame == null) {
        throw new IllegalStateException("no frame, or its body was copied before");
      }
      if (target.remaining() < frame.body().remaining()) {
        throw new IllegalArgumentException("not enough room");
      }
      unread = null;
      target.put(frame.body().duplicate());
    }

    @Override
    public void close() {
      unread = null;
    }
  }
}
