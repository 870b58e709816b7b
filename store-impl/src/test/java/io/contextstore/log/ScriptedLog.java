package io.contextstore.log;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** A log in memory whose next append or seal runs a piece of script first, or before it returns. */
final class ScriptedLog extends ForwardingLog {
  final List<Integer> groups = new ArrayList<>();
  final List<Thread> stagedBy = new ArrayList<>();
  final AtomicInteger discards = new AtomicInteger();
  volatile Runnable next = () -> {};
  volatile Runnable beforeReturn = () -> {};

  ScriptedLog() {
    super(new InMemoryLog(1 << 20));
  }

  private void script() {
    Runnable script = next;
    next = () -> {};
    script.run();
  }

  @Override
  public AppendResult append(List<FrameDraft> group) {
    script();
    groups.add(group.size());
    AppendResult result = super.append(group);
    Runnable script = beforeReturn;
    beforeReturn = () -> {};
    script.run();
    return result;
  }

  @Override
  public SealOutcome seal() {
    script();
    return super.seal();
  }

  @Override
  public StagedBody stage(FrameBody body) {
    stagedBy.add(Thread.currentThread());
    return super.stage(body);
  }

  @Override
  public void discard(StagedBody staged) {
    discards.incrementAndGet();
    super.discard(staged);
  }
}
