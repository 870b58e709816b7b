package io.contextstore.view;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The right to change a store's base table: one holder at a time. Taking it never waits; whoever
 * finds it taken may wait for {@link Claim#whenFree} outside every lock.
 */
public final class MaintenanceSlot {
  private final AtomicReference<@Nullable Claim> holder = new AtomicReference<>();

  /** What became of an attempt to take the slot. */
  public sealed interface Attempt {}

  /** The slot is taken by somebody else, who frees it when {@code whenFree} completes. */
  public record Busy(CompletionStage<Void> whenFree) implements Attempt {}

  /** The slot, held until {@link #release}. */
  public static final class Claim implements Attempt {
    private final MaintenanceSlot slot;
    private final CompletableFuture<Void> free = new CompletableFuture<>();

    private Claim(MaintenanceSlot slot) {
      this.slot = slot;
    }

    /** Completes when the slot is free again. */
    public CompletionStage<Void> whenFree() {
      return free.minimalCompletionStage();
    }

    /**
     * Frees the slot; nothing happens the second time. Never called while a native call of the pass
     * still runs: it could commit after the next holder has begun.
     */
    public void release() {
      if (!slot.holder.compareAndSet(this, null)) {
        return;
      }
      // Dependants may be many and slow; none of them runs on the thread that holds a lock.
      free.completeAsync(() -> null);
    }
  }

  /** Takes the slot, or tells who has it. */
  public Attempt tryClaim() {
    Claim claim = new Claim(this);
    Claim other = holder.compareAndExchange(null, claim);
    return other == null ? claim : new Busy(other.whenFree());
  }
}
