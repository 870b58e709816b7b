package io.contextstore.log;

import io.contextstore.guard.MemoryOnly;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * A log in a folder of the local disk, one file a segment.
 *
 * <p>It takes no lock file: whoever owns the data folder sees to it that no second process and no
 * second {@code LocalLog} works in the same folder.
 *
 * <p>After a failed write or sync the segment is cut at the last synced offset and the cut is
 * synced: reading back after a failed sync would prove nothing. If the cut fails too, or a seal
 * fails after its footer, the log refuses everything until it is opened again.
 */
public final class LocalLog implements WriteAheadLog {
  private static final System.Logger LOGGER = System.getLogger(LocalLog.class.getName());

  private final LogFolder folder;
  private final LogIdentity identity;
  private final long ownerEpoch;
  private final long segmentBytes;

  /** Held during append, seal and for ever after the close; nobody but close waits for it. */
  private final Semaphore call = new Semaphore(1);

  private final AtomicReference<List<LocalSegment>> segments;
  private final AtomicReference<@Nullable LogException> refusal = new AtomicReference<>();
  private final AtomicLong nextPayload;

  /** Payload files that were staged and given up; removed with the next segments. */
  private final Queue<Long> discarded = new ConcurrentLinkedQueue<>();

  private volatile boolean closing;
  private volatile boolean closed;

  /** Touched only by whoever holds {@link #call}. */
  private ActiveSegment active;

  private LocalLog(
      LogFolder folder,
      LogIdentity identity,
      long ownerEpoch,
      LocalLogSettings settings,
      Recovery.Recovered recovered) {
    this.folder = folder;
    this.identity = identity;
    this.ownerEpoch = ownerEpoch;
    this.segmentBytes = settings.segmentBytes();
    this.active = recovered.active();
    this.nextPayload = new AtomicLong(recovered.nextPayload());
    List<LocalSegment> all = new ArrayList<>(recovered.sealed());
    all.add(recovered.active().state());
    this.segments = new AtomicReference<>(List.copyOf(all));
  }

  /**
   * Opens the log in {@code folder}, which is made if it is missing (its parent must exist). Mends
   * what a crash left; afterwards every segment above the watermark but the last is sealed, and the
   * last is empty and of this owner epoch.
   *
   * @param watermark the last segment whose rows are durable elsewhere, 0 if there is none;
   *     segments up to it are removed, nothing above it ever is
   * @param ownerEpoch at least that of every segment
   * @throws LogCorruptException if acknowledged frames cannot be read back; sealed segments are
   *     looked at closely only by {@link #read}. Nothing was changed
   * @throws LogMismatchException if the files are another store's, schema's or owner's, or some are
   *     missing. Nothing was changed
   * @throws LogIoException if reading or mending failed; opening again is harmless
   */
  public static LocalLog open(
      Path folder,
      LogIdentity identity,
      long ownerEpoch,
      long watermark,
      LocalLogSettings settings) {
    try {
      return open(DiskFolder.open(folder), identity, ownerEpoch, watermark, settings);
    } catch (IOException e) {
      throw new LogIoException("cannot open the log folder " + folder, e);
    }
  }

  static LocalLog open(
      LogFolder folder,
      LogIdentity identity,
      long ownerEpoch,
      long watermark,
      LocalLogSettings settings) {
    try {
      return new LocalLog(
          folder,
          identity,
          ownerEpoch,
          settings,
          new Recovery(folder, identity, ownerEpoch, watermark).run());
    } catch (IOException e) {
      throw new LogIoException("cannot open the log in " + folder.path(), e);
    }
  }

  @Override
  public AppendResult append(List<FrameDraft> group) {
    MemoryOnly.checkIoAllowed();
    if (group.isEmpty()) {
      throw new IllegalArgumentException("an empty group");
    }
    enter();
    try {
      long first = active.nextLsn();
      try {
        active.append(group);
      } catch (IOException | RuntimeException | Error e) {
        throw failed("append", e);
      }
      requireNotAbandoned();
      LocalSegment state = active.state();
      SegmentInfo info = state.info();
      publish(state);
      return new AppendResult(first, info.lastLsn(), info.bytes() >= segmentBytes);
    } finally {
      leave();
    }
  }

  @Override
  public SealOutcome seal() {
    MemoryOnly.checkIoAllowed();
    enter();
    try {
      if (active.state().info().isEmpty()) {
        return new SealOutcome.Empty(active.header().number());
      }
      LocalSegment sealed;
      try {
        sealed = active.seal();
      } catch (IOException | RuntimeException | Error e) {
        throw failed("seal", e);
      }
      requireNotAbandoned();
      ActiveSegment next = startAfter(sealed.info());
      closeQuietly(active);
      active = next;
      publish(sealed, next.state());
      return new SealOutcome.Sealed(sealed.info(), next.header().number());
    } finally {
      leave();
    }
  }

  private ActiveSegment startAfter(SegmentInfo sealed) {
    try {
      return ActiveSegment.create(
          folder,
          Recovery.newHeader(identity, sealed.number() + 1, sealed.lastLsn() + 2, ownerEpoch));
    } catch (IOException | RuntimeException | Error e) {
      LogWriteException failure =
          new LogWriteException(
              "segment %d is sealed, but the next one could not be made".formatted(sealed.number()),
              false,
              e);
      abandon(failure);
      throw failure;
    }
  }

  /** Cuts back to what was durable before the call that failed. */
  private LogException failed(String what, Throwable cause) {
    LogException abandoned = refusal.get();
    if (abandoned != null) {
      // Somebody may be about to open these files again: leave them alone.
      return new LogWriteException(what + " failed after the log was abandoned", false, cause);
    }
    try {
      active.cut();
      return new LogWriteException(
          "%s failed in %s; the log was cut back to LSN %d"
              .formatted(what, folder.path(), active.nextLsn() - 1),
          true,
          cause);
    } catch (IOException | RuntimeException | Error e) {
      LogWriteException failure =
          new LogWriteException(
              "%s failed in %s and the log could not be cut back".formatted(what, folder.path()),
              false,
              cause);
      failure.addSuppressed(e);
      abandon(failure);
      return failure;
    }
  }

  private void enter() {
    if (!call.tryAcquire()) {
      if (closing) {
        throw new LogRefusedException("the log is closed", refusal.get());
      }
      throw new IllegalStateException("a second thread writes to the log");
    }
    LogException reason = refusal.get();
    if (reason != null || closing) {
      leave();
      throw new LogRefusedException(
          reason == null ? "the log is closed" : "the log takes nothing until it is opened again",
          reason);
    }
  }

  private void leave() {
    call.release();
    if (closing && call.tryAcquire()) {
      finishClose();
    }
  }

  private void requireNotAbandoned() {
    LogException reason = refusal.get();
    if (reason != null) {
      throw new LogWriteException("the log was abandoned during the call", false, reason);
    }
  }

  /** Replaces what is listed from the first of these segments on. */
  private void publish(LocalSegment... changed) {
    segments.updateAndGet(
        before -> {
          List<LocalSegment> after = new ArrayList<>(before);
          after.removeIf(other -> other.info().number() >= changed[0].info().number());
          after.addAll(List.of(changed));
          return List.copyOf(after);
        });
  }

  @Override
  public StagedBody stage(FrameBody body) {
    MemoryOnly.checkIoAllowed();
    LogException reason = refusal.get();
    if (reason != null || closing) {
      throw new LogRefusedException("the log takes nothing until it is opened again", reason);
    }
    StagedBody staged =
        new StagedBody(
            nextPayload.getAndIncrement(), body.length(), body.checksum(), Recovery.newSalt());
    try {
      PayloadFile.write(folder, identity, staged, body);
    } catch (IOException e) {
      discard(staged);
      throw new LogIoException("cannot write a payload file in " + folder.path(), e);
    }
    return staged;
  }

  @Override
  public void discard(StagedBody staged) {
    MemoryOnly.checkIoAllowed();
    discarded.add(staged.number());
  }

  @Override
  public long nextLsn() {
    return segments.get().getLast().info().lastLsn() + 1;
  }

  @Override
  public List<SegmentInfo> segments() {
    return segments.get().stream().map(LocalSegment::info).toList();
  }

  @Override
  public SegmentReader read(long segment) {
    MemoryOnly.checkIoAllowed();
    for (LocalSegment candidate : segments.get()) {
      if (candidate.info().number() == segment) {
        return LocalSegmentReader.open(folder, candidate);
      }
    }
    throw new IllegalArgumentException("the log has no segment " + segment);
  }

  @Override
  public void dropThrough(long segment) {
    MemoryOnly.checkIoAllowed();
    boolean dropped = false;
    try {
      for (LocalSegment candidate : segments.get()) {
        SegmentInfo info = candidate.info();
        if (info.number() > segment || !info.sealed()) {
          break;
        }
        // The segment before its payloads: a payload without a segment is known to be rubbish.
        folder.delete(LogFiles.segment(folder.path(), info.number()));
        for (long payload : candidate.payloads()) {
          folder.delete(LogFiles.payload(folder.path(), payload));
        }
        dropped = true;
        segments.updateAndGet(
            before ->
                before.stream().filter(other -> other.info().number() != info.number()).toList());
      }
      for (Long payload = discarded.poll(); payload != null; payload = discarded.poll()) {
        folder.delete(LogFiles.payload(folder.path(), payload));
        dropped = true;
      }
      if (dropped) {
        folder.sync();
      }
    } catch (IOException e) {
      throw new LogIoException("cannot remove segments in " + folder.path(), e);
    }
  }

  @Override
  public void abandon(LogException reason) {
    refusal.compareAndSet(null, reason);
  }

  @Override
  public CloseOutcome close(Duration patience) {
    MemoryOnly.checkIoAllowed();
    closing = true;
    boolean interrupted = false;
    try {
      if (!closed && call.tryAcquire(patience.toNanos(), TimeUnit.NANOSECONDS)) {
        finishClose();
      }
    } catch (InterruptedException e) {
      interrupted = true;
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    return closed ? CloseOutcome.CLOSED : CloseOutcome.CALL_STILL_RUNNING;
  }

  /** With {@link #call} held, which is not given back. */
  private void finishClose() {
    closeQuietly(active);
    closed = true;
  }

  /** Everything that counts in the file was synced before, so a failing close loses nothing. */
  private void closeQuietly(ActiveSegment segment) {
    try {
      segment.close();
    } catch (IOException e) {
      LOGGER.log(Level.WARNING, "cannot close a segment file in " + folder.path(), e);
    }
  }
}
