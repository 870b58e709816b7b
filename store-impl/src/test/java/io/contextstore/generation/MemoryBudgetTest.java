package io.contextstore.generation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class MemoryBudgetTest {
  @Test
  void aReservationFitsOrChangesNothing() {
    MemoryBudget budget = new MemoryBudget(100);

    assertThat(budget.tryReserve(60)).isTrue();
    assertThat(budget.tryReserve(41)).isFalse();
    assertThat(budget.used()).isEqualTo(60);
    assertThat(budget.tryReserve(40)).isTrue();
    assertThat(budget.tryReserve(1)).isFalse();
    budget.release(100);
    assertThat(budget.used()).isZero();
  }

  @Test
  void durableRowsAreCountedOverTheBoundAndOthersWaitUntilTheyAreGone() {
    MemoryBudget budget = new MemoryBudget(100);
    budget.reserve(150);

    assertThat(budget.isNearlyFull()).isTrue();
    assertThat(budget.tryReserve(1)).isFalse();
    budget.release(150);
    assertThat(budget.tryReserve(100)).isTrue();
  }

  @Test
  void nearlyFullIsMoreThanThreeQuarters() {
    MemoryBudget budget = new MemoryBudget(100);
    budget.reserve(75);
    assertThat(budget.isNearlyFull()).isFalse();
    budget.reserve(1);
    assertThat(budget.isNearlyFull()).isTrue();
  }

  @Test
  void manyThreadsNeverTakeMoreThanThereIs() throws Exception {
    MemoryBudget budget = new MemoryBudget(1000);
    AtomicInteger refused = new AtomicInteger();
    List<Future<?>> all = new ArrayList<>();
    try (ExecutorService threads = Executors.newFixedThreadPool(8)) {
      for (int thread = 0; thread < 8; thread++) {
        all.add(threads.submit(() -> takeAndGive(budget, refused)));
      }
      for (Future<?> one : all) {
        one.get();
      }
    }
    assertThat(budget.used()).isZero();
    assertThat(refused).hasPositiveValue();
  }

  private static void takeAndGive(MemoryBudget budget, AtomicInteger refused) {
    for (int i = 0; i < 20_000; i++) {
      long bytes = ThreadLocalRandom.current().nextLong(1, 600);
      if (budget.tryReserve(bytes)) {
        assertThat(budget.used()).isBetween(1L, 1000L);
        budget.release(bytes);
      } else {
        refused.incrementAndGet();
      }
      if (i % 8 == 0) {
        Thread.onSpinWait();
      }
    }
  }
}
