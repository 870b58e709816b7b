package io.contextstore.view;

import io.contextstore.generation.Generation;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * An immutable snapshot of a store: base table at one version, sealed generations from oldest to
 * newest, active generation.
 *
 * <p>Reference-counted. A view is born with one reference, held by the store while the view is the
 * current one; each pin adds one. The last release hands the view to the disposer, so that neither
 * a reader nor the holder of a lock pays for closing native handles.
 */
public final class View {
  private final BaseVersion base;
  private final List<Generation> sealed;
  private final Generation active;
  private final ViewDisposer disposer;
  private final AtomicInteger references = new AtomicInteger(1);

  private View(
      BaseVersion base, List<Generation> sealed, Generation active, ViewDisposer disposer) {
    this.base = base;
    this.sealed = List.copyOf(sealed);
    this.active = active;
    this.disposer = disposer;
    disposer.viewCreated();
  }

  /** The first view of a store. Takes over one reference of each part. */
  static View first(
      BaseVersion base, List<Generation> sealed, Generation active, ViewDisposer disposer) {
    return new View(base, sealed, active, disposer);
  }

  /**
   * The view after a seal: the active generation is the newest sealed one now. Adds a reference to
   * every part; so this view must be alive during the call, and the caller keeps its own reference
   * of {@code newActive}.
   */
  View afterSeal(Generation newActive) {
    List<Generation> generations = new ArrayList<>(sealed);
    generations.add(active);
    base.retain();
    generations.forEach(View::retain);
    retain(newActive);
    return new View(base, generations, newActive, disposer);
  }

  /**
   * The view after a merge: {@code newBase} holds the rows of all sealed generations up to segment
   * {@code watermark}. As with {@link #afterSeal}, the caller keeps its own reference of {@code
   * newBase}.
   */
  View afterMerge(BaseVersion newBase, long watermark) {
    List<Generation> left = sealed.stream().filter(g -> g.segment() > watermark).toList();
    left.forEach(View::retain);
    retain(active);
    newBase.retain();
    return new View(newBase, left, active, disposer);
  }

  private static void retain(Generation generation) {
    if (!generation.tryRetain()) {
      throw new IllegalStateException("a live view holds a freed generation");
    }
  }

  /** The base table. */
  public BaseVersion base() {
    return base;
  }

  /** The sealed generations, oldest first. */
  public List<Generation> sealed() {
    return sealed;
  }

  /** The generation that is being written. */
  public Generation active() {
    return active;
  }

  /** All generations, newest first: the active one, then the sealed ones. */
  public List<Generation> newestFirst() {
    List<Generation> all = new ArrayList<>(sealed.size() + 1);
    all.add(active);
    all.addAll(sealed.reversed());
    return all;
  }

  boolean tryRetain() {
    int count = references.get();
    while (count > 0) {
      if (references.compareAndSet(count, count + 1)) {
        return true;
      }
      count = references.get();
    }
    return false;
  }

  void release() {
    int left = references.decrementAndGet();
    if (left < 0) {
      throw new IllegalStateException("view released twice");
    }
    if (left == 0) {
      disposer.dispose(this::dispose);
    }
  }

  private void dispose() {
    sealed.forEach(Generation::release);
    active.release();
    base.release();
  }
}
