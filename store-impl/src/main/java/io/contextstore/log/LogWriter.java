package io.contextstore.log;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.contextstore.log.LogEntry.ToAppend;
import io.contextstore.log.LogEntry.ToSeal;
import io.contextstore.log.LogException.Retry;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The single writer of one log: takes frames and seals from any thread into one queue and carries
 * them out in that order, on one thread of a shared pool, which it holds only while the queue is
 * not empty. Whatever gathered in the queue during one sync is the next group.
 *
 * <p>Futures complete on the writer's thread (past a deadline, on the timer's), outside any lock
 * and after the listener was told. Actions attached to them must not block; a thread that waits for
 * them may. When {@link #submit} throws, nothing was written and the body is still the caller's;
 * once it has returned, the future tells, by its {@link LogException}'s {@link LogException#effect
 * effect}, whether an attempt to write was made.
 *
 * <p>The log is not closed by this class; close the writer first, then the log.
 *
 * @param <T> what travels beside a frame, for the listener
 */
public final class LogWriter<T> {
  private static final System.Logger LOGGER = System.getLogger(LogWriter.class.getName());

  private enum State {
    OPEN,
    CLOSING,
    REFUSING
  }

  private final WriteAheadLog log;
  private final LogListener<T> listener;
  private final Executor executor;
  private final LogWriterSettings settings;
  private final CallWatch<T> watch;

  /** Guards memory only: nobody holds it in a call to log, listener, executor or future. */
  private final ReentrantLock lock = new ReentrantLock();

  private final Condition idle = lock.newCondition();

  @GuardedBy("lock")
  private final Deque<LogEntry<T>> queue = new ArrayDeque<>();

  /** Of entries in the queue and in the group that is being written. */
  @GuardedBy("lock")
  private long unsettledBytes;

  @GuardedBy("lock")
  private int unsettledItems;

  /** A run was handed to the executor and is not over. False implies that the queue is empty. */
  @GuardedBy("lock")
  private boolean running;

  @GuardedBy("lock")
  private State state = State.OPEN;

  /** Written under the lock; read without it, because every request looks. */
  private volatile @Nullable LogException refusal;

  /** Whether the last group failed; only the first of a row of failures is worth a line. */
  private boolean failing;

  /**
   * A writer for a log that has no other.
   *
   * @param executor platform threads; may reject when there are too many busy stores, and may run
   *     nothing on the thread that calls it
   * @param timer for the deadline of calls; gets only short tasks
   */
  public LogWriter(
      WriteAheadLog log,
      LogListener<T> listener,
      Executor executor,
      ScheduledExecutorService timer,
      LogWriterSettings settings) {
    this.log = log;
    this.listener = listener;
    this.executor = executor;
    this.settings = settings;
    this.watch = new CallWatch<>(timer, settings.callDeadline(), this::expire);
  }

  /**
   * Queues a frame. Does not wait, except that a large body is first staged in the log by the
   * calling thread.
   *
   * @param kind {@link FrameKind#ROWS} or {@link FrameKind#TOMBSTONES}
   * @return completes with the LSN once the frame is durable and the listener has it; fails with
   *     the reason of the listener's rejection, or with a {@link LogException}
   * @throws LogOverloadedException if the queue is full or no thread is free to write
   * @throws LogIoException if a large body could not be staged
   * @throws LogRefusedException if the writer is closed or its log is in doubt
   */
  public CompletableFuture<Long> submit(FrameKind kind, FrameBody body, T payload) {
    FrameDraft draft = new FrameDraft(kind, body);
    if (body.length() > settings.largeBytes()) {
      draft = new FrameDraft(kind, log.stage(body));
    }
    ToAppend<T> entry = new ToAppend<>(draft, body, payload);
    try {
      enqueue(entry);
    } catch (LogException e) {
      entry.staged().ifPresent(log::discard);
      throw e;
    }
    return entry.lsn();
  }

  /**
   * Queues a seal of the active segment, behind all frames submitted before.
   *
   * @return completes once the seal is durable and the listener was told
   * @throws LogOverloadedException if no thread is free to write
   * @throws LogRefusedException if the writer is closed or its log is in doubt
   */
  public CompletableFuture<SealOutcome> seal() {
    ToSeal<T> entry = new ToSeal<>();
    enqueue(entry);
    return entry.outcome();
  }

  /** Why everything is refused until the log is opened again; empty while all is well. */
  public Optional<LogException> refusal() {
    return Optional.ofNullable(refusal);
  }

  /** Bytes of bodies that were submitted and are not settled. */
  public long unsettledBytes() {
    lock.lock();
    try {
      return unsettledBytes;
    } finally {
      lock.unlock();
    }
  }

  /** Frames that were submitted and are not settled. */
  public int unsettledItems() {
    lock.lock();
    try {
      return unsettledItems;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Refuses everything new and waits until what is queued is settled. What is not settled in time
   * fails. May be repeated.
   *
   * @param patience how long to wait
   */
  public CloseOutcome close(Duration patience) {
    boolean late;
    boolean interrupted = false;
    lock.lock();
    try {
      if (state == State.OPEN) {
        state = State.CLOSING;
      }
      long left = patience.toNanos();
      while (running && left > 0 && !interrupted) {
        try {
          left = idle.awaitNanos(left);
        } catch (InterruptedException e) {
          interrupted = true;
        }
      }
      late = running;
    } finally {
      lock.unlock();
    }
    if (late) {
      LogCall<T> call = watch.current();
      LogDeadlineException reason =
          new LogDeadlineException("the writer was closed while a call to the log ran", null);
      if (call == null) {
        refuse(reason);
      } else {
        expire(call, reason);
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    return late ? CloseOutcome.CALL_STILL_RUNNING : CloseOutcome.CLOSED;
  }

  private void enqueue(LogEntry<T> entry) {
    boolean start;
    lock.lock();
    try {
      requireOpen();
      requireRoom(entry);
      queue.add(entry);
      unsettledBytes += entry.bytes();
      unsettledItems += entry.items();
      start = !running;
      running = true;
    } finally {
      lock.unlock();
    }
    if (start) {
      start(entry);
    }
  }

  @GuardedBy("lock")
  private void requireOpen() {
    if (state != State.OPEN) {
      LogException reason = refusal;
      throw reason == null
          ? new LogRefusedException("the log's writer is closed", null)
          : refusedBecause(reason);
    }
  }

  private static LogRefusedException refusedBecause(LogException reason) {
    return new LogRefusedException(
        "not written: the log takes nothing until it is opened again", reason);
  }

  @GuardedBy("lock")
  private void requireRoom(LogEntry<T> entry) {
    if (entry.items() == 0 || unsettledItems == 0) {
      return;
    }
    if (unsettledItems + entry.items() > settings.queueItems()
        || unsettledBytes + entry.bytes() > settings.queueBytes()) {
      throw new LogOverloadedException(
          "not written: %d requests with %d bytes are waiting to be written"
              .formatted(unsettledItems, unsettledBytes),
          null);
    }
  }

  /**
   * Hands a run to the executor. If that fails nobody will come: what is queued by now fails too.
   */
  private void start(LogEntry<T> first) {
    try {
      executor.execute(this::run);
    } catch (RuntimeException | Error e) {
      List<LogEntry<T>> stranded;
      lock.lock();
      try {
        stranded = drain();
        running = false;
        idle.signalAll();
      } finally {
        lock.unlock();
      }
      LogOverloadedException reason =
          new LogOverloadedException("not written: no thread is free to write", e);
      boolean firstIsOurs = stranded.remove(first);
      notWritten(stranded, reason);
      if (firstIsOurs) {
        throw reason;
      }
    }
  }

  private void run() {
    boolean more = true;
    while (more) {
      try {
        more = runOnce();
      } catch (RuntimeException | Error e) {
        LOGGER.log(Level.ERROR, "the log's writer failed", e);
        refuse(new LogWriteException("the log's writer failed", false, e));
      }
    }
  }

  /** Carries out one group or seal; false when there is none, and then the run is over. */
  private boolean runOnce() {
    List<ToAppend<T>> group = new ArrayList<>();
    ToSeal<T> seal = null;
    lock.lock();
    try {
      if (queue.isEmpty()) {
        running = false;
        idle.signalAll();
        return false;
      }
      if (queue.peek() instanceof ToSeal<T> toSeal) {
        queue.remove();
        seal = toSeal;
      } else {
        takeGroup(group);
      }
    } finally {
      lock.unlock();
    }
    if (seal != null) {
      seal(Optional.of(seal));
    } else {
      write(group);
    }
    return true;
  }

  @GuardedBy("lock")
  private void takeGroup(List<ToAppend<T>> group) {
    long bytes = 0;
    while (group.size() < settings.groupItems()
        && queue.peek() instanceof ToAppend<T> entry
        && (group.isEmpty() || bytes + entry.bytes() <= settings.groupBytes())) {
      bytes += entry.bytes();
      group.add(entry);
      queue.remove();
    }
  }

  private void write(List<ToAppend<T>> group) {
    long firstLsn;
    List<ToAppend<T>> admitted = new ArrayList<>(group.size());
    List<FrameDraft> drafts = new ArrayList<>(group.size());
    List<Rejection<T>> rejected = new ArrayList<>(0);
    try {
      firstLsn = log.nextLsn();
      for (ToAppend<T> entry : group) {
        switch (listener.admit(entry.payload(), firstLsn + admitted.size())) {
          case Admission.Accept accept -> {
            admitted.add(entry);
            drafts.add(entry.draft());
          }
          case Admission.Reject reject -> rejected.add(new Rejection<>(entry, reject.reason()));
        }
      }
    } catch (RuntimeException | Error e) {
      LogWriteException reason = new LogWriteException("the listener failed to admit", false, e);
      refuse(reason);
      settle(group);
      notWritten(group, refusedBecause(reason));
      return;
    }
    if (admitted.isEmpty()) {
      settle(group);
      rejected.forEach(this::tell);
      return;
    }
    LogCall<T> call = new LogCall<>(group, System.nanoTime());
    AppendResult result;
    watch.begin(call);
    try {
      result = log.append(drafts);
    } catch (RuntimeException | Error e) {
      watch.end();
      groupFailed(call, firstLsn, asLogException("append", e));
      return;
    }
    watch.end();
    if (!call.settle()) {
      // Past its deadline and given up: the futures have failed and the log is to be opened again.
      group.forEach(LogEntry::unused);
      return;
    }
    if (failing) {
      failing = false;
      LOGGER.log(Level.INFO, "appends work again");
    }
    int taken = tellDurable(admitted, firstLsn, result);
    settle(group);
    for (int i = 0; i < taken; i++) {
      admitted.get(i).unused();
      admitted.get(i).lsn().complete(firstLsn + i);
    }
    if (taken < admitted.size()) {
      failAll(
          admitted.subList(taken, admitted.size()),
          new LogWriteException("durable, but not taken over", false, refusal().orElse(null)));
    }
    rejected.forEach(this::tell);
    if (result.sealAdvised() && refusal().isEmpty()) {
      seal(Optional.empty());
    }
  }

  private record Rejection<T>(LogEntry<T> entry, RuntimeException reason) {}

  private void tell(Rejection<T> rejection) {
    notWritten(List.of(rejection.entry()), rejection.reason());
  }

  /** Returns how many the listener has taken; fewer than all means that everything is refused. */
  private int tellDurable(List<ToAppend<T>> admitted, long firstLsn, AppendResult result) {
    int taken = 0;
    try {
      if (result.firstLsn() != firstLsn) {
        throw new IllegalStateException(
            "the log gave LSN %d where %d was next".formatted(result.firstLsn(), firstLsn));
      }
      for (ToAppend<T> entry : admitted) {
        listener.durable(firstLsn + taken, entry.payload());
        taken++;
      }
    } catch (RuntimeException | Error e) {
      LOGGER.log(Level.ERROR, "a durable frame could not be taken over", e);
      refuse(new LogWriteException("a durable frame could not be taken over", false, e));
    }
    return taken;
  }

  private void groupFailed(LogCall<T> call, long firstLsn, LogException failure) {
    if (!call.settle()) {
      call.entries().forEach(LogEntry::unused);
      return;
    }
    if (!failing) {
      failing = true;
      LOGGER.log(Level.WARNING, "appends fail", failure);
    }
    if (failure.retry() != Retry.SOON) {
      refuse(failure);
    }
    try {
      listener.discarded(firstLsn);
    } catch (RuntimeException | Error e) {
      refuse(new LogWriteException("the listener could not discard a group", false, e));
    }
    settle(call.entries());
    if (failure.retry() == Retry.SOON) {
      notWritten(call.entries(), failure);
    } else {
      failAll(call.entries(), failure);
    }
  }

  /**
   * @param asked empty if the writer seals by itself, because the segment is full
   */
  private void seal(Optional<ToSeal<T>> asked) {
    LogCall<T> call = new LogCall<>(asked.stream().toList(), System.nanoTime());
    SealOutcome outcome;
    watch.begin(call);
    try {
      outcome = log.seal();
    } catch (RuntimeException | Error e) {
      watch.end();
      if (call.settle()) {
        LogException failure = asLogException("seal", e);
        LOGGER.log(Level.WARNING, "a seal failed", failure);
        if (failure.retry() != Retry.SOON) {
          refuse(failure);
        }
        failAll(call.entries(), failure);
      }
      return;
    }
    watch.end();
    if (!call.settle()) {
      return;
    }
    try {
      if (outcome instanceof SealOutcome.Sealed sealed) {
        listener.sealed(sealed.segment(), sealed.nextSegment());
      }
    } catch (RuntimeException | Error e) {
      LOGGER.log(Level.ERROR, "a seal could not be taken over", e);
      LogWriteException reason = new LogWriteException("a seal could not be taken over", false, e);
      refuse(reason);
      failAll(call.entries(), reason);
      return;
    }
    asked.ifPresent(entry -> entry.outcome().complete(outcome));
  }

  private static LogException asLogException(String what, Throwable failure) {
    return failure instanceof LogException known
        ? known
        : new LogWriteException(what + " failed unexpectedly", false, failure);
  }

  private void expire(LogCall<T> call) {
    expire(
        call,
        new LogDeadlineException(
            "outcome unknown: a call to the log took longer than " + settings.callDeadline(),
            null));
  }

  private void expire(LogCall<T> call, LogDeadlineException reason) {
    refuse(reason);
    if (call.settle()) {
      LOGGER.log(Level.ERROR, "the log is given up until it is opened again", reason);
      settle(call.entries());
      // Their memory stays: the call that hangs may still read it.
      call.entries().forEach(entry -> entry.fail(reason));
    }
  }

  /**
   * From here on nothing is taken; what is queued and was not tried fails. The first reason stays.
   */
  private void refuse(LogException reason) {
    List<LogEntry<T>> stranded;
    LogException first;
    lock.lock();
    try {
      state = State.REFUSING;
      if (refusal == null) {
        refusal = reason;
      }
      first = refusal;
      stranded = drain();
    } finally {
      lock.unlock();
    }
    log.abandon(first);
    notWritten(stranded, refusedBecause(first));
  }

  @GuardedBy("lock")
  private List<LogEntry<T>> drain() {
    List<LogEntry<T>> drained = new ArrayList<>(queue);
    queue.clear();
    for (LogEntry<T> entry : drained) {
      unsettledBytes -= entry.bytes();
      unsettledItems -= entry.items();
    }
    return drained;
  }

  private void settle(List<? extends LogEntry<T>> entries) {
    lock.lock();
    try {
      for (LogEntry<T> entry : entries) {
        unsettledBytes -= entry.bytes();
        unsettledItems -= entry.items();
      }
    } finally {
      lock.unlock();
    }
  }

  /** Fails entries that are surely in no segment, now or later. */
  private void notWritten(List<? extends LogEntry<T>> entries, RuntimeException reason) {
    for (LogEntry<T> entry : entries) {
      entry.staged().ifPresent(log::discard);
    }
    failAll(entries, reason);
  }

  private static void failAll(List<? extends LogEntry<?>> entries, RuntimeException reason) {
    for (LogEntry<?> entry : entries) {
      entry.unused();
      entry.fail(reason);
    }
  }
}
