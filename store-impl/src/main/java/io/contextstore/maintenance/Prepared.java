package io.contextstore.maintenance;

import java.util.concurrent.CompletionStage;

/**
 * The coordinator's answer to work on a store's base table that is asked for.
 *
 * @param <P> the plan of that work
 */
public sealed interface Prepared<P> {
  /** Go ahead. The receiver must commit or abandon the plan. */
  record Ready<P>(P plan) implements Prepared<P> {}

  /** There is nothing to do, or not enough yet. */
  record NotDue<P>() implements Prepared<P> {}

  /** The store is closed, or must be opened again first. */
  record NotServing<P>() implements Prepared<P> {}

  /** Another pass works on the store; it is over when {@code whenFree} completes. */
  record Busy<P>(CompletionStage<Void> whenFree) implements Prepared<P> {}
}
