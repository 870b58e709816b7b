package io.contextstore.view;

import static org.assertj.core.api.Assertions.assertThat;

import io.contextstore.generation.MemoryBudget;
import io.contextstore.generation.Memtable;
import io.contextstore.log.FrameBody;
import io.contextstore.log.FrameDraft;
import io.contextstore.log.FrameKind;
import io.contextstore.log.InMemoryLog;
import io.contextstore.log.SegmentInfo;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.Test;

class SegmentRetentionTest {
  private final InMemoryLog log = new InMemoryLog(1 << 20);
  private final Queue<Runnable> tasks = new ArrayDeque<>();
  private boolean full;
  private final SegmentRetention retention =
      new SegmentRetention(
          log,
          new MemoryBudget(1 << 20),
          task -> {
            if (full) {
              throw new RejectedExecutionException();
            }
            tasks.add(task);
          },
          0);
  private final List<Memtable> memtables = new ArrayList<>();

  private void fill(int segments) {
    memtables.add(retention.openMemtable(1, 0));
    for (int i = 0; i < segments; i++) {
      FrameBody body = FrameBody.of(List.of(ByteBuffer.wrap(new byte[8])));
      log.append(List.of(new FrameDraft(FrameKind.ROWS, body)));
      log.seal();
      memtables.add(retention.openMemtable(i + 2, log.nextLsn() - 1));
    }
  }

  private void free(int segment) {
    memtables.get(segment - 1).generation().release();
  }

  @Test
  void aSegmentGoesWhenItIsMergedAndFreeAndAllBeforeItAre() {
    fill(4);
    retention.merged(3);
    free(2);
    runAll();
    assertThat(segments()).containsExactly(1L, 2L, 3L, 4L, 5L);
    free(1);
    runAll();
    assertThat(segments()).containsExactly(3L, 4L, 5L);
    free(4);
    runAll();
    assertThat(segments()).containsExactly(3L, 4L, 5L);
    free(3);
    runAll();
    assertThat(segments()).containsExactly(4L, 5L);
    retention.merged(4);
    assertThat(segments()).containsExactly(4L, 5L);
  }

  @Test
  void manyAtOnceAreOneTask() {
    fill(3);
    retention.merged(3);
    free(1);
    free(2);
    free(3);
    assertThat(tasks).hasSize(1);
    runAll();
    assertThat(segments()).containsExactly(4L);
  }

  @Test
  void aRefusedTaskIsMadeUpForByTheNext() {
    fill(3);
    retention.merged(3);
    full = true;
    free(1);
    free(2);
    full = false;
    free(3);
    runAll();
    assertThat(segments()).containsExactly(4L);
  }

  @Test
  void aClosedStoresSegmentsAreLeftToTheNextOpen() {
    fill(2);
    retention.merged(2);
    free(1);
    retention.close();
    free(2);
    runAll();
    assertThat(segments()).containsExactly(1L, 2L, 3L);
  }

  private List<Long> segments() {
    return log.segments().stream().map(SegmentInfo::number).toList();
  }

  private void runAll() {
    for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
      task.run();
    }
  }
}
