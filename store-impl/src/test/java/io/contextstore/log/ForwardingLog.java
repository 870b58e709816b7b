package io.contextstore.log;

import java.time.Duration;
import java.util.List;

/** A log that passes every call on. Subclasses put their faults into some of them. */
public abstract class ForwardingLog implements WriteAheadLog {
  private final WriteAheadLog log;

  protected ForwardingLog(WriteAheadLog log) {
    this.log = log;
  }

  @Override
  public AppendResult append(List<FrameDraft> group) {
    return log.append(group);
  }

  @Override
  public SealOutcome seal() {
    return log.seal();
  }

  @Override
  public StagedBody stage(FrameBody body) {
    return log.stage(body);
  }

  @Override
  public void discard(StagedBody staged) {
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
