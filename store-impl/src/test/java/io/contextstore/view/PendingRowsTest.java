package io.contextstore.view;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.VarCharVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Who frees a batch, in every order that log and append may speak in. */
class PendingRowsTest {
  private final BufferAllocator allocator = new RootAllocator();
  private final AtomicInteger given = new AtomicInteger();
  private PendingRows rows;

  @BeforeEach
  void allocate() {
    VarCharVector ids = new VarCharVector("id", allocator);
    ids.allocateNew(64, 1);
    rows = new PendingRows(VectorSchemaRoot.of(ids), false, given::incrementAndGet);
    assertThat(allocator.getAllocatedMemory()).isPositive();
  }

  @AfterEach
  void close() {
    allocator.close();
  }

  @ParameterizedTest
  @ValueSource(strings = {"done refused", "refused done", "done refused done refused"})
  void aRefusedBatchIsFreedOnceWhenTheLogHasLetGo(String order) {
    speak(order);
    assertThat(given).hasValue(1);
    assertThat(allocator.getAllocatedMemory()).isZero();
  }

  @ParameterizedTest
  @ValueSource(strings = {"refused", "refused refused", "done", "done done"})
  void oneWordAloneFreesNothing(String order) {
    speak(order);
    assertThat(given).hasValue(0);
    assertThat(allocator.getAllocatedMemory()).isPositive();
    speak("done refused");
    assertThat(given).hasValue(1);
  }

  // The memtable has the batch, and then taking it over failed: the log fails the append.
  @ParameterizedTest
  @ValueSource(strings = {"applied done refused", "done applied refused", "applied refused done"})
  void aBatchThatTheMemtableHasIsNeverFreedHere(String order) {
    speak(order);
    assertThat(given).hasValue(0);
    rows.root().close();
  }

  @Test
  void twoThreadsFreeItOnce() throws Exception {
    for (int i = 0; i < 2000; i++) {
      List<Thread> both = List.of(new Thread(rows::logDone), new Thread(rows::refused));
      both.forEach(Thread::start);
      for (Thread thread : both) {
        thread.join();
      }
      assertThat(given).hasValue(i + 1);
      if (i < 1999) {
        allocate();
      }
    }
  }

  private void speak(String order) {
    for (String word : order.split(" ", -1)) {
      switch (word) {
        case "done" -> rows.logDone();
        case "refused" -> rows.refused();
        case "applied" -> rows.applied();
        default -> throw new AssertionError(word);
      }
    }
  }
}
