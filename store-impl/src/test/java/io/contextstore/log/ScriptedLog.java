package io.contextstore.log;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** A log in memory whose next append or seal runs a piece of script first, or before it returns. */
final class ScriptedLog implements WriteAheadLog {
  final List<Integer> groups = new ArrayList<>();
  final List<Thread> stagedBy = new ArrayList<>();
  final AtomicInteger discards = new AtomicInteger();
  volatile Runnable next = () -> {};
  volatile Runnable beforeReturn = () -> {};

  private final InMemoryLog log = new InMemoryLog(1 << 20);

  private void script() {
    Runnable script = next;
    next = () -> {};
    script.run();
  }

  @Override
  public AppendResult append(List<FrameDraft> group) {
    script();
    groups.add(group.size());
    AppendResult result = log.append(group);
    Runnable script = beforeReturn;
    beforeReturn = () -> {};
    script.run();
    return result;
  }

  @Override
  public SealOutcome seal() {
    script();
    return log.seal();
  }

  @Override
  public StagedBody stage(FrameBody body) {
    stagedBy.add(Thread.currentThread());
    return log.stage(body);
  }

  @Override
  public void discard(StagedBody staged) {
    discards.incrementAndGet();
    log.discard(staged);
  }

  @Override
  public long nextLsn() {
    return log.nextLsn();
  }

  @Override
  public List<SegmentInfo> segments() {
    return log.segments();
  }

  @Override
  public SegmentReader read(long segment) {
    return log.read(segment);
  }

  @Override
  public void dropThrough(long segment) {
    log.dropThrough(segment);
  }

  @Override
  public void abandon(LogException reason) {
    log.abandon(reason);
  }

  @Override
  public CloseOutcome close(Duration patience) {
    return log.close(patience);
  }
}
