package io.contextstore.maintenance;

import io.contextstore.generation.Generation;
import io.contextstore.guard.MemoryOnly;
import io.contextstore.merge.MergeOutcome;
import io.contextstore.merge.MergePlan;
import io.contextstore.view.CatalogEntry;
import io.contextstore.view.MaintenanceSlot;
import io.contextstore.view.Pin;
import io.contextstore.view.Store;
import io.contextstore.view.StoreId;
import io.contextstore.view.StoreRegistry;
import jakarta.ejb.AccessTimeout;
import jakarta.ejb.ConcurrencyManagement;
import jakarta.ejb.ConcurrencyManagementType;
import jakarta.ejb.Lock;
import jakarta.ejb.LockType;
import jakarta.ejb.Singleton;
import jakarta.ejb.TransactionAttribute;
import jakarta.ejb.TransactionAttributeType;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;

/**
 * The coordinator of maintenance and of the set of stores.
 *
 * <p>Its container lock is fair, so whoever holds it holds up everybody. Hence the rule: every
 * method touches memory only, takes microseconds and returns a sealed outcome. Prepare methods
 * share the lock ({@code READ}), commit methods exclude ({@code WRITE}); the work between them runs
 * without it. A commit waits for the lock without limit, because the table has moved already.
 */
@Singleton
@ConcurrencyManagement(ConcurrencyManagementType.CONTAINER)
@Lock(LockType.READ)
@TransactionAttribute(TransactionAttributeType.NOT_SUPPORTED)
public class Coordinator {

  /** Takes the maintenance slot and picks the generations of a merge. READ, memory only. */
  @Lock(LockType.READ)
  @AccessTimeout(value = 10, unit = TimeUnit.SECONDS)
  public Prepared<MergePlan> prepareMerge(Store store, MergeTrigger trigger, MergeLimits limits) {
    return MemoryOnly.call(
        "prepareMerge",
        () ->
            prepare(
                store,
                (claim, pin) -> {
                  List<Generation> pending = pin.view().sealed();
                  boolean due =
                      trigger == MergeTrigger.COUNT
                          ? limits.isDue(pending.size())
                          : !pending.isEmpty();
                  return due
                      ? Optional.of(new MergePlan(store, claim, pin, limits.choose(pending)))
                      : Optional.empty();
                }));
  }

  /** Plans work with slot and pin, which the plan takes over; empty when none is due. */
  private interface Planner<P> {
    Optional<P> plan(MaintenanceSlot.Claim claim, Pin pin);
  }

  /** Takes slot and pin, and gives both back unless a plan has taken them over. */
  private static <P> Prepared<P> prepare(Store store, Planner<P> planner) {
    return switch (store.slot().tryClaim()) {
      case MaintenanceSlot.Busy busy -> new Prepared.Busy<>(busy.whenFree());
      case MaintenanceSlot.Claim claim -> {
        Optional<Pin> pin = Optional.empty();
        Optional<P> plan = Optional.empty();
        try {
          pin = store.pinIfServing();
          if (pin.isEmpty()) {
            yield new Prepared.NotServing<>();
          }
          plan = planner.plan(claim, pin.get());
          yield plan.isPresent() ? new Prepared.Ready<>(plan.get()) : new Prepared.NotDue<>();
        } finally {
          if (plan.isEmpty()) {
            pin.ifPresent(Pin::close);
            claim.release();
          }
        }
      }
    };
  }

  /** Swaps the store's view to the merged table and gives the slot back. WRITE, memory only. */
  @Lock(LockType.WRITE)
  public void commitMerge(MergePlan plan, MergeOutcome.Merged merged) {
    MemoryOnly.run(
        "commitMerge",
        () -> {
          plan.store().swapMerged(merged.base(), merged.watermark());
          plan.release();
        });
  }

  /** Gives the slot of a failed merge back; its generations stay pending. READ, memory only. */
  @Lock(LockType.READ)
  public void abandonMerge(MergePlan plan, MergeOutcome.Failed failed) {
    MemoryOnly.run(
        "abandonMerge",
        () -> {
          if (failed.reopen()) {
            plan.store().fail(failed.cause());
          }
          plan.release();
        });
  }

  /** Takes the maintenance slot for upkeep of the index when it is due. READ, memory only. */
  @Lock(LockType.READ)
  @AccessTimeout(value = 10, unit = TimeUnit.SECONDS)
  public Prepared<IndexPlan> prepareIndex(Store store, MaintenancePolicy policy) {
    return MemoryOnly.call(
        "prepareIndex",
        () ->
            prepare(
                store,
                (claim, pin) ->
                    policy.isIndexDue(pin.view().base())
                        ? Optional.of(new IndexPlan(store, claim, pin))
                        : Optional.empty()));
  }

  /** Swaps the store's view to the indexed table and gives the slot back. WRITE, memory only. */
  @Lock(LockType.WRITE)
  public void commitIndex(IndexPlan plan, IndexResult.Indexed indexed) {
    MemoryOnly.run(
        "commitIndex",
        () -> {
          plan.store().swapMerged(indexed.base(), plan.watermark());
          plan.release();
        });
  }

  /**
   * Gives the slot back when there is no new index. READ, memory only.
   *
   * @param reopen why the store must be opened again, if it must
   */
  @Lock(LockType.READ)
  public void abandonIndex(IndexPlan plan, Optional<Throwable> reopen) {
    MemoryOnly.run(
        "abandonIndex",
        () -> {
          reopen.ifPresent(plan.store()::fail);
          plan.release();
        });
  }

  /** Keeps a name for a store that is about to be made; false when it is taken. READ. */
  @Lock(LockType.READ)
  @AccessTimeout(value = 10, unit = TimeUnit.SECONDS)
  public boolean prepareCreate(StoreRegistry registry, StoreId id) {
    return MemoryOnly.call("prepareCreate", () -> registry.reserve(id));
  }

  /** Makes a store that is complete on disk visible. WRITE, memory only. */
  @Lock(LockType.WRITE)
  public void commitCreate(StoreRegistry registry, CatalogEntry entry) {
    MemoryOnly.run(
        "commitCreate",
        () -> {
          registry.publish(entry);
        });
  }

  /** Gives the name of a store that could not be made free again. READ, memory only. */
  @Lock(LockType.READ)
  public void abandonCreate(StoreRegistry registry, StoreId id) {
    MemoryOnly.run(
        "abandonCreate",
        () -> {
          registry.unreserve(id);
        });
  }

  /** Makes the caller the one who drops the store; false when it is gone. READ, memory only. */
  @Lock(LockType.READ)
  @AccessTimeout(value = 10, unit = TimeUnit.SECONDS)
  public boolean prepareDrop(StoreRegistry registry, StoreId id) {
    return MemoryOnly.call("prepareDrop", () -> registry.beginDrop(id));
  }

  /** Takes a store, whose catalog entry is gone, out of sight. WRITE, memory only. */
  @Lock(LockType.WRITE)
  public Optional<CompletionStage<Store>> commitDrop(StoreRegistry registry, StoreId id) {
    return MemoryOnly.call("commitDrop", () -> registry.detach(id));
  }

  /** Keeps a store whose catalog entry could not be removed. READ, memory only. */
  @Lock(LockType.READ)
  public void abandonDrop(StoreRegistry registry, StoreId id) {
    MemoryOnly.run(
        "abandonDrop",
        () -> {
          registry.abandonDrop(id);
        });
  }
}
