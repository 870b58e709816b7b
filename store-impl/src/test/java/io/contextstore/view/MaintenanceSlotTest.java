package io.contextstore.view;

import static org.assertj.core.api.Assertions.assertThat;

import io.contextstore.view.MaintenanceSlot.Busy;
import io.contextstore.view.MaintenanceSlot.Claim;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class MaintenanceSlotTest {
  private final MaintenanceSlot slot = new MaintenanceSlot();

  @Test
  void oneHolderAtATime() throws Exception {
    Claim first = (Claim) slot.tryClaim();
    Busy busy = (Busy) slot.tryClaim();
    CompletableFuture<Void> free = busy.whenFree().toCompletableFuture();
    assertThat(free).isNotDone();

    first.release();
    free.get(10, TimeUnit.SECONDS);
    assertThat(slot.tryClaim()).isInstanceOf(Claim.class);
  }

  @Test
  void aSecondReleaseDoesNotFreeTheNextHolder() {
    Claim first = (Claim) slot.tryClaim();
    first.release();
    Claim second = (Claim) slot.tryClaim();
    first.release();

    assertThat(slot.tryClaim()).isInstanceOf(Busy.class);
    second.release();
    assertThat(slot.tryClaim()).isInstanceOf(Claim.class);
  }

  @Test
  void whoeverWaitsCannotFreeTheSlot() {
    Claim claim = (Claim) slot.tryClaim();
    claim.whenFree().toCompletableFuture().complete(null);
    assertThat(slot.tryClaim()).isInstanceOf(Busy.class);
  }

  @Test
  void waitersRunOnAnotherThreadThanTheOneThatReleases() throws Exception {
    Claim claim = (Claim) slot.tryClaim();
    CompletableFuture<Thread> ran = new CompletableFuture<>();
    claim.whenFree().thenRun(() -> ran.complete(Thread.currentThread()));
    claim.release();
    assertThat(ran.get(10, TimeUnit.SECONDS)).isNotSameAs(Thread.currentThread());
  }

  @Test
  void manyThreadsTakeTurnsAndNobodyIsForgotten() throws Exception {
    AtomicInteger holders = new AtomicInteger();
    AtomicInteger turns = new AtomicInteger();
    List<Future<?>> all = new ArrayList<>();
    try (ExecutorService threads = Executors.newFixedThreadPool(4)) {
      for (int thread = 0; thread < 4; thread++) {
        all.add(threads.submit(() -> takeTurns(holders, turns)));
      }
      for (Future<?> one : all) {
        one.get(60, TimeUnit.SECONDS);
      }
    }
    assertThat(turns).hasValue(2000);
  }

  private Void takeTurns(AtomicInteger holders, AtomicInteger turns) throws Exception {
    for (int mine = 0; mine < 500; ) {
      switch (slot.tryClaim()) {
        case Busy busy -> busy.whenFree().toCompletableFuture().get(30, TimeUnit.SECONDS);
        case Claim claim -> {
          assertThat(holders.incrementAndGet()).isEqualTo(1);
          turns.incrementAndGet();
          mine++;
          holders.decrementAndGet();
          claim.release();
        }
      }
    }
    return null;
  }
}
