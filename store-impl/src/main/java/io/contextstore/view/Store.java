package io.contextstore.view;

import io.contextstore.api.error.OverloadedException;
import io.contextstore.api.error.TooLargeException;
import io.contextstore.codec.BatchFrames;
import io.contextstore.codec.RowParser;
import io.contextstore.generation.Memtable;
import io.contextstore.log.Admission;
import io.contextstore.log.CloseOutcome;
import io.contextstore.log.FrameBody;
import io.contextstore.log.FrameKind;
import io.contextstore.log.LogException;
import io.contextstore.log.LogListener;
import io.contextstore.log.LogWriter;
import io.contextstore.log.LogWriterSettings;
import io.contextstore.log.SealOutcome;
import io.contextstore.log.SegmentInfo;
import io.contextstore.log.WriteAheadLog;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.types.pojo.Schema;
import org.jspecify.annotations.Nullable;

/**
 * An open store. Reads pin its view, appends go through its log writer; neither takes a lock.
 *
 * <p>The view changes in two ways only: the log writer's thread swaps it at a seal, the holder of
 * the maintenance slot at a merge. Both compute the next view from the current one and swap it in
 * by compare-and-set, so they may meet.
 */
public final class Store {
  private static final Duration RETRY_SOON = Duration.ofSeconds(1);
  private static final Duration CLOSE_PATIENCE = Duration.ofSeconds(10);

  private final CatalogEntry entry;
  private final Schema schema;
  private final StoreEnvironment environment;
  private final RowParser parser;
  private final WriteAheadLog log;
  private final LogWriter<PendingRows> writer;
  private final ViewDisposer disposer;
  private final SegmentRetention retention;
  private final MaintenanceSlot slot;
  private final AtomicReference<@Nullable View> current;
  private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
  private final CompletableFuture<Void> closed = new CompletableFuture<>();

  Store(
      CatalogEntry entry,
      Schema schema,
      StoreEnvironment environment,
      OpenedLog opened,
      ViewDisposer disposer,
      MaintenanceSlot slot) {
    this.slot = slot;
    this.entry = entry;
    this.schema = schema;
    this.environment = environment;
    this.parser = new RowParser(entry.schema());
    this.log = opened.log();
    this.disposer = disposer;
    this.retention = opened.retention();
    this.current = new AtomicReference<>(opened.firstView());
    this.writer =
        new LogWriter<>(
            log,
            new Applier(opened.memtable()),
            environment.writerThreads(),
            environment.timer(),
            LogWriterSettings.DEFAULT);
  }

  /** What the catalog knows of it. */
  public CatalogEntry entry() {
    return entry;
  }

  /** Name, kind and incarnation. */
  public StoreId id() {
    return entry.id();
  }

  /** The columns of its rows as Arrow knows them, {@code id} first. */
  public Schema schema() {
    return schema;
  }

  /** Reads request bodies into batches of this store. */
  public RowParser parser() {
    return parser;
  }

  /** The right to change its base table. */
  public MaintenanceSlot slot() {
    return slot;
  }

  /**
   * Why the store must be opened again: its log takes nothing any more and is at rest, or memory
   * and storage may differ. Empty while all is well.
   */
  public Optional<Throwable> failure() {
    Throwable known = failure.get();
    if (known != null) {
      return Optional.of(known);
    }
    Optional<LogException> refusal = writer.refusal();
    // A log with a call that hangs must not be opened twice: until the call ends, appends are
    // refused and reads go on.
    return refusal.isPresent() && writer.close(Duration.ZERO) == CloseOutcome.CLOSED
        ? Optional.of(refusal.get())
        : Optional.empty();
  }

  /** Takes the current view. Never waits; the caller closes the pin. */
  public Pin pin() {
    refuseIfFailed();
    return pinIfServing()
        .orElseThrow(() -> OverloadedException.nothingWritten("the store is closing", RETRY_SOON));
  }

  /** The same for maintenance: empty when the store has failed or is closed. */
  public Optional<Pin> pinIfServing() {
    while (true) {
      View view = current.get();
      if (view == null || failure.get() != null) {
        return Optional.empty();
      }
      if (view.tryRetain()) {
        return Optional.of(new Pin(view));
      }
    }
  }

  /**
   * Appends a batch and waits until it is durable and visible. Takes over {@code root} in every
   * case.
   *
   * @param root rows with all columns of the store, or ids alone when {@code tombstones}
   * @return the LSN of the batch
   */
  public long append(VectorSchemaRoot root, boolean tombstones) {
    CompletableFuture<Long> done = submit(root, tombstones);
    try {
      return done.get(environment.requestDeadline().toMillis(), TimeUnit.MILLISECONDS);
    } catch (ExecutionException e) {
      throw refusal(e.getCause() == null ? e : e.getCause());
    } catch (TimeoutException e) {
      throw OverloadedException.outcomeUnknown("the log did not answer in time", RETRY_SOON, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw OverloadedException.outcomeUnknown("the wait was interrupted", RETRY_SOON, e);
    }
  }

  private CompletableFuture<Long> submit(VectorSchemaRoot root, boolean tombstones) {
    long cost = Memtable.cost(root);
    PendingRows rows = new PendingRows(root, tombstones, () -> environment.budget().release(cost));
    if (!environment.budget().tryReserve(cost)) {
      root.close();
      environment.events().memoryLow();
      throw OverloadedException.nothingWritten(
          "the memory for rows that are not merged yet is full", RETRY_SOON);
    }
    try {
      if (environment.budget().isNearlyFull()) {
        environment.events().memoryLow();
      }
      refuseIfFailed();
      FrameBody body = frame(root, rows);
      CompletableFuture<Long> done =
          writer.submit(tombstones ? FrameKind.TOMBSTONES : FrameKind.ROWS, body, rows);
      return done.whenComplete(
          (lsn, error) -> {
            if (error != null) {
              rows.refused();
            }
          });
    } catch (LogException e) {
      rows.logDone();
      rows.refused();
      throw refusal(e);
    } catch (RuntimeException | Error e) {
      rows.logDone();
      rows.refused();
      throw e;
    }
  }

  private static FrameBody frame(VectorSchemaRoot root, PendingRows rows) {
    List<ByteBuffer> parts = BatchFrames.encode(root);
    long bytes = parts.stream().mapToLong(ByteBuffer::remaining).sum();
    if (bytes > FrameBody.MAX_LENGTH) {
      throw new TooLargeException(
          "the rows of one request take " + bytes + " bytes, more than " + FrameBody.MAX_LENGTH);
    }
    return FrameBody.of(parts, rows::logDone);
  }

  private static RuntimeException refusal(Throwable cause) {
    if (cause instanceof LogException e) {
      return switch (e.effect()) {
        case NOT_WRITTEN ->
            OverloadedException.nothingWritten("the log takes no rows now", RETRY_SOON);
        case UNKNOWN -> OverloadedException.outcomeUnknown("the log failed", RETRY_SOON, e);
      };
    }
    if (cause instanceof RuntimeException e) {
      return e;
    }
    return OverloadedException.outcomeUnknown("the append failed", RETRY_SOON, cause);
  }

  /** Asks for a seal, in the order of the appends. Completes when the view has the generation. */
  public CompletionStage<SealOutcome> seal() {
    return writer.seal();
  }

  /**
   * Puts the result of a merge, or of what else changes the table, into the view. Memory only. The
   * caller holds the maintenance slot.
   *
   * @param base the table with the rows of all segments up to {@code watermark}; its reference is
   *     taken over, also when the store is closed
   */
  public void swapMerged(BaseVersion base, long watermark) {
    base.takeOver();
    retention.merged(watermark);
    swap(now -> now.afterMerge(base, watermark));
    // Not here: it may be the last reference, closing is I/O, and the caller holds the
    // coordinator's
    // lock. The merge's pin keeps the disposer at work.
    disposer.viewCreated();
    disposer.dispose(base::release);
  }

  /** Swaps in the view that follows the current one; nothing happens when the store is closed. */
  private void swap(UnaryOperator<View> following) {
    while (true) {
      View now = current.get();
      if (now == null) {
        return;
      }
      if (!now.tryRetain()) {
        continue;
      }
      View next = following.apply(now);
      boolean swapped = current.compareAndSet(now, next);
      now.release();
      if (swapped) {
        // The store's own reference.
        now.release();
        return;
      }
      next.release();
    }
  }

  /** Stops serving until the store is opened again: memory and storage may differ from now on. */
  public void fail(Throwable cause) {
    failure.compareAndSet(null, cause);
  }

  private void refuseIfFailed() {
    if (failure.get() != null) {
      throw OverloadedException.nothingWritten("the store is being re-opened", RETRY_SOON);
    }
  }

  /**
   * Takes no appends any more, finishes the queued ones and gives the log back. Blocks for the log;
   * readers are not disturbed.
   *
   * @return whether the log is at rest. If not, a call to storage still hangs: the store must not
   *     be opened again yet, and this may be called again
   */
  public boolean closeLog() {
    return closeLog(CLOSE_PATIENCE);
  }

  /** The same, waiting so long for what runs before it is given up. */
  boolean closeLog(Duration patience) {
    retention.close();
    return writer.close(patience) == CloseOutcome.CLOSED
        && log.close(patience) == CloseOutcome.CLOSED;
  }

  /**
   * Closes the log and lets the view go.
   *
   * @return completes when the last pin is closed and all memory is free
   */
  public CompletionStage<Void> close() {
    closeLog();
    View last = current.getAndSet(null);
    if (last != null) {
      last.release();
      disposer.close();
      disposer.whenAllGone().thenRun(() -> closed.complete(null));
    }
    return closed;
  }

  /** Completes when the store is closed, the last pin too, and all memory is free. */
  CompletionStage<Void> whenClosed() {
    return closed;
  }

  /** Whether generations wait for a merge. */
  boolean hasPending() {
    View view = current.get();
    return view != null && !view.sealed().isEmpty();
  }

  /** What the log writer does with frames; all of it on the writer's thread. */
  private final class Applier implements LogListener<PendingRows> {
    private Memtable memtable;

    Applier(Memtable memtable) {
      this.memtable = memtable;
    }

    @Override
    public Admission admit(PendingRows rows, long lsn) {
      return Admission.ACCEPT;
    }

    @Override
    public void discarded(long firstLsn) {
      // Nothing is remembered of frames that are not durable yet.
    }

    @Override
    public void durable(long lsn, PendingRows rows) {
      rows.applied();
      try {
        memtable.append(lsn, rows.root(), rows.tombstones());
      } catch (RuntimeException | Error e) {
        fail(e);
        throw e;
      }
    }

    @Override
    public void sealed(SegmentInfo segment, long nextSegment) {
      Memtable next = retention.openMemtable(nextSegment, segment.lastLsn() + 1);
      memtable = next;
      swap(now -> now.afterSeal(next.generation()));
      next.generation().release();
      environment.events().sealed(Store.this);
    }
  }
}
