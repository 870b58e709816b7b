package io.contextstore.view;

import io.contextstore.api.StoreName;
import io.contextstore.api.error.InternalException;
import io.contextstore.api.error.NotFoundException;
import io.contextstore.api.error.OverloadedException;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The stores in memory: which exist, which are open. Reserving, publishing and detaching touch
 * memory only; opening does I/O on the thread of the first caller, while later callers of the same
 * store wait for it and those of other stores do not.
 */
public final class StoreRegistry {
  private static final Duration RETRY = Duration.ofSeconds(5);
  private static final Duration PAUSE = Duration.ofSeconds(1);
  private static final Logger LOGGER = System.getLogger(StoreRegistry.class.getName());

  private record Key(StoreKind kind, StoreName name) implements Comparable<Key> {
    @Override
    public int compareTo(Key other) {
      int byKind = kind.compareTo(other.kind);
      return byKind != 0 ? byKind : name.value().compareTo(other.name.value());
    }
  }

  /** A name in use. */
  private sealed interface Place {}

  /** Somebody creates the store. */
  private record Reserved() implements Place {}

  private record FailedOpening(RuntimeException cause, long nanos) {}

  /** The store exists. */
  private static final class Present implements Place {
    private final CatalogEntry entry;
    private final AtomicReference<@Nullable CompletableFuture<Store>> open =
        new AtomicReference<>();
    private final AtomicBoolean dropping = new AtomicBoolean();

    /** Outlives a re-opening: a pass that began before it may still run. */
    private final MaintenanceSlot slot = new MaintenanceSlot();

    private volatile boolean detached;
    private volatile @Nullable FailedOpening lastFailure;

    Present(CatalogEntry entry) {
      this.entry = entry;
    }
  }

  /**
   * An opening under way.
   *
   * @param store completes with the store
   * @param landed completes when the opening is over, however it ended
   */
  private record Flight(CompletableFuture<Store> store, CompletableFuture<Void> landed) {}

  private final ConcurrentSkipListMap<Key, Place> places = new ConcurrentSkipListMap<>();
  private final Set<Flight> flights = ConcurrentHashMap.newKeySet();
  private final Set<Store> living = ConcurrentHashMap.newKeySet();
  private final StoreOpener opener;
  private final StoreEvents events;
  private final Duration patience;
  private final LongSupplier nanoClock;
  private volatile boolean closing;

  /** A registry of the stores in {@code entries}, none of them open. */
  public StoreRegistry(StoreEnvironment environment, Collection<CatalogEntry> entries) {
    this(environment, entries, System::nanoTime);
  }

  StoreRegistry(
      StoreEnvironment environment, Collection<CatalogEntry> entries, LongSupplier nanoClock) {
    this.nanoClock = nanoClock;
    this.opener = new StoreOpener(environment);
    this.events = environment.events();
    this.patience = environment.requestDeadline();
    for (CatalogEntry entry : entries) {
      places.put(key(entry.id()), new Present(entry));
    }
  }

  private static Key key(StoreId id) {
    return new Key(id.kind(), id.name());
  }

  /** Keeps the name for a store that is being created; false when it is taken. Memory only. */
  public boolean reserve(StoreId id) {
    return places.putIfAbsent(key(id), new Reserved()) == null;
  }

  /** Gives a reserved name free again. Memory only. */
  public void unreserve(StoreId id) {
    if (!(places.remove(key(id)) instanceof Reserved)) {
      throw new IllegalStateException(id + " was not reserved");
    }
  }

  /** Makes a created store visible under its reserved name. Memory only. */
  public void publish(CatalogEntry entry) {
    if (!(places.put(key(entry.id()), new Present(entry)) instanceof Reserved)) {
      throw new IllegalStateException(entry.id() + " was not reserved");
    }
  }

  /**
   * Makes the caller the one who drops the store; until the detach it serves as before. False when
   * it is gone or somebody else drops it. Memory only.
   */
  public boolean beginDrop(StoreId id) {
    return places.get(key(id)) instanceof Present present
        && present.entry.id().equals(id)
        && present.dropping.compareAndSet(false, true);
  }

  /** Undoes {@link #beginDrop}: the store stays. Memory only. */
  public void abandonDrop(StoreId id) {
    present(id).dropping.set(false);
  }

  /**
   * Takes a store out of the registry: no request finds it from here on. Memory only; after {@link
   * #beginDrop}.
   *
   * @return the store, if it is open or being opened; the caller closes it
   */
  public Optional<CompletionStage<Store>> detach(StoreId id) {
    Present present = present(id);
    places.remove(key(id), present);
    // In this order: whoever starts to open it after the look at `open` sees the mark.
    present.detached = true;
    return Optional.ofNullable(present.open.get());
  }

  private Present present(StoreId id) {
    if (places.get(key(id)) instanceof Present present && present.entry.id().equals(id)) {
      return present;
    }
    throw new IllegalStateException(id + " is not there");
  }

  /** Makes the folders of a reserved store, complete and synced. Does I/O. */
  public void createFolders(CatalogEntry entry) throws IOException {
    opener.create(entry);
  }

  /** The entries of all stores of a kind, ordered by name. */
  public List<CatalogEntry> entries(StoreKind kind) {
    return places.values().stream()
        .flatMap(
            place -> place instanceof Present present ? Stream.of(present.entry) : Stream.empty())
        .filter(entry -> entry.id().kind() == kind)
        .toList();
  }

  /** The entry of a store. */
  public Optional<CatalogEntry> entry(StoreKind kind, StoreName name) {
    return places.get(new Key(kind, name)) instanceof Present present
        ? Optional.of(present.entry)
        : Optional.empty();
  }

  /** The stores that are open now. */
  public List<Store> openStores() {
    return places.values().stream()
        .flatMap(
            place -> place instanceof Present present ? opened(present).stream() : Stream.empty())
        .toList();
  }

  private static Optional<Store> opened(Present present) {
    CompletableFuture<Store> open = present.open.get();
    return open != null && open.isDone() && !open.isCompletedExceptionally()
        ? Optional.of(open.join())
        : Optional.empty();
  }

  /** The store, opened if need be; empty when there is none. Blocks while it opens. */
  public Optional<Store> open(StoreKind kind, StoreName name) {
    if (!(places.get(new Key(kind, name)) instanceof Present present)) {
      return Optional.empty();
    }
    while (true) {
      CompletableFuture<Store> known = present.open.get();
      Store old = null;
      if (known != null) {
        old = join(known);
        if (old.failure().isEmpty()) {
          return Optional.of(old);
        }
      }
      if (known == null) {
        refuseIfFailedJustNow(present);
      }
      refuseIfClosing();
      Flight flight = new Flight(new CompletableFuture<>(), new CompletableFuture<>());
      if (present.open.compareAndSet(known, flight.store())) {
        return Optional.of(fly(present, known, old, flight));
      }
    }
  }

  /** Each try takes ownership of the table, which is a commit: not for every request. */
  private void refuseIfFailedJustNow(Present present) {
    FailedOpening last = present.lastFailure;
    if (last != null && nanoClock.getAsLong() - last.nanos() < PAUSE.toNanos()) {
      throw last.cause();
    }
  }

  private void refuseIfClosing() {
    if (closing) {
      throw OverloadedException.nothingWritten("the server is stopping", RETRY);
    }
  }

  /**
   * Opens a store on this thread, for all who wait for it. After a failure a later request tries
   * again, with {@code old} if that is not at rest yet.
   */
  private Store fly(
      Present present,
      @Nullable CompletableFuture<Store> known,
      @Nullable Store old,
      Flight flight) {
    flights.add(flight);
    CompletableFuture<Store> afterFailure = known;
    try {
      if (old != null) {
        retire(present, old);
      }
      afterFailure = null;
      if (present.detached) {
        throw new NotFoundException("there is no store '" + present.entry.id().name() + "'");
      }
      refuseIfClosing();
      Store store = openOrRemember(present);
      living.add(store);
      store.whenClosed().thenRun(() -> living.remove(store));
      flight.store().complete(store);
      if (store.hasPending()) {
        events.sealed(store);
      }
      return store;
    } catch (RuntimeException | Error e) {
      present.open.compareAndSet(flight.store(), afterFailure);
      flight.store().completeExceptionally(e);
      throw e;
    } finally {
      flights.remove(flight);
      flight.landed().complete(null);
    }
  }

  private Store openOrRemember(Present present) {
    try {
      return opener.open(present.entry, present.slot);
    } catch (RuntimeException e) {
      present.lastFailure = new FailedOpening(e, nanoClock.getAsLong());
      throw e;
    }
  }

  /** One log is never open twice: the failed store lets go of it before it is opened again. */
  private void retire(Present present, Store old) {
    LOGGER.log(
        Level.WARNING,
        "Store " + old.id() + " failed and is opened again",
        old.failure().orElse(null));
    if (!old.closeLog()) {
      if (present.detached) {
        old.close();
      }
      throw OverloadedException.nothingWritten(
          "the storage of the store hangs; it is opened again when it answers", RETRY);
    }
    old.close();
  }

  private Store join(CompletableFuture<Store> opening) {
    try {
      return opening.get(patience.toNanos(), TimeUnit.NANOSECONDS);
    } catch (TimeoutException e) {
      throw OverloadedException.nothingWritten("the store is still being opened", RETRY);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw OverloadedException.nothingWritten("the wait for the store was interrupted", RETRY);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof RuntimeException cause) {
        throw cause;
      }
      throw new InternalException("the store could not be opened", e);
    }
  }

  /**
   * Opens nothing any more and closes every store that was ever opened, also those that were
   * dropped or replaced and still have readers. Does not wait.
   *
   * @param closers runs the closing of each store, which may block for a while
   * @return completes when all are closed and their memory is free
   */
  public CompletableFuture<Void> close(Executor closers) {
    closing = true;
    // In this order: a flight that is not seen here sees the mark, or its store is among the
    // living.
    List<CompletableFuture<Void>> landed = flights.stream().map(Flight::landed).toList();
    return allOf(landed)
        .thenComposeAsync(
            done ->
                allOf(
                    living.stream()
                        .map(
                            store ->
                                CompletableFuture.supplyAsync(store::close, closers)
                                    .thenCompose(closed -> closed))
                        .toList()),
            closers);
  }

  private static CompletableFuture<Void> allOf(List<CompletableFuture<Void>> all) {
    return CompletableFuture.allOf(all.toArray(CompletableFuture[]::new));
  }
}
