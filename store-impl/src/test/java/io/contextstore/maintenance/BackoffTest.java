package io.contextstore.maintenance;

import static org.assertj.core.api.Assertions.assertThat;

import io.contextstore.api.StoreName;
import io.contextstore.view.StoreId;
import io.contextstore.view.StoreKind;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class BackoffTest {
  // Near the overflow of the clock, which may be anything.
  private final AtomicLong clock = new AtomicLong(Long.MAX_VALUE - 5);
  private final Backoff backoff = new Backoff(clock::get);
  private final StoreId store = StoreId.create(new StoreName("s"), StoreKind.GENERIC);

  @Test
  void thePauseDoublesWithEachFailureUpToAMinuteAndAQuarter() {
    for (int seconds : new int[] {1, 2, 4, 8, 16, 32, 60, 60, 60}) {
      backoff.failed(store);
      pass(Duration.ofSeconds(seconds).minusNanos(1));
      assertThat(backoff.mayTry(store)).isFalse();
      pass(Duration.ofSeconds(seconds).dividedBy(4).plusNanos(1));
      assertThat(backoff.mayTry(store)).isTrue();
    }
  }

  @Test
  void aSuccessEndsItAndTheNextFailureBeginsAnew() {
    for (int i = 0; i < 5; i++) {
      backoff.failed(store);
    }
    backoff.succeeded(store);
    assertThat(backoff.mayTry(store)).isTrue();
    backoff.failed(store);
    pass(Duration.ofMillis(1251));
    assertThat(backoff.mayTry(store)).isTrue();
  }

  @Test
  void storesFailOnTheirOwn() {
    StoreId again = StoreId.create(store.name(), StoreKind.GENERIC);
    backoff.failed(store);
    assertThat(backoff.mayTry(again)).isTrue();
    assertThat(backoff.mayTry(store)).isFalse();
    backoff.forget(store);
    assertThat(backoff.mayTry(store)).isTrue();
  }

  private void pass(Duration time) {
    clock.addAndGet(time.toNanos());
  }
}
