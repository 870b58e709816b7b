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
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The stores in memory: which exist, which are open. Reserving, publishing and detaching touch
 * memory only; opening does I/O on the thread of the first caller, while later callers of the same
 * store wait for it and those of other stores do not.
 */
public final class StoreRegistry {
  private static final Duration RETRY = Duration.ofSeconds(5);
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

  /** The store exists. */
  private static final class Present implements Place {
    private final CatalogEntry entry;
    private final AtomicReference<@Nullable CompletableFuture<Store>> open =
        new AtomicReference<>();
    private final AtomicBoolean dropping = new AtomicBoolean();
    private volatile boolean detached;

    Present(CatalogEntry entry) {
      this.entry = entry;
    }
  }

  private final ConcurrentSkipListMap<Key, Place> places = new ConcurrentSkipListMap<>();
  private final StoreOpener opener;

  /** A registry of the stores in {@code entries}, none of them open. */
  public StoreRegistry(StoreEnvironment environment, Collection<CatalogEntry> entries) {
    this.opener = new StoreOpener(environment);
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
      CompletableFuture<Store> mine = new CompletableFuture<>();
      if (known == null) {
        if (present.open.compareAndSet(null, mine)) {
          return Optional.of(openNow(present, mine));
        }
        continue;
      }
      Store store = join(known);
      if (store.failure().isEmpty()) {
        return Optional.of(store);
      }
      if (present.open.compareAndSet(known, mine)) {
        return Optional.of(reopen(present, known, store, mine));
      }
    }
  }

  /** Whoever holds the single flight closes the old store first: one log is never open twice. */
  private Store reopen(
      Present present, CompletableFuture<Store> old, Store store, CompletableFuture<Store> mine) {
    LOGGER.log(
        Level.WARNING,
        "Store " + store.id() + " failed and is opened again",
        store.failure().orElse(null));
    if (!store.closeLog()) {
      OverloadedException hung =
          OverloadedException.nothingWritten(
              "the storage of the store hangs; it is opened again when it answers", RETRY);
      present.open.compareAndSet(mine, old);
      mine.completeExceptionally(hung);
      throw hung;
    }
    store.close();
    return openNow(present, mine);
  }

  private Store openNow(Present present, CompletableFuture<Store> mine) {
    try {
      if (present.detached) {
        throw new NotFoundException("there is no store '" + present.entry.id().name() + "'");
      }
      Store store = opener.open(present.entry);
      mine.complete(store);
      return store;
    } catch (RuntimeException | Error e) {
      // The next request tries again.
      present.open.compareAndSet(mine, null);
      mine.completeExceptionally(e);
      throw e;
    }
  }

  private static Store join(CompletableFuture<Store> opening) {
    try {
      return opening.join();
    } catch (CompletionException e) {
      if (e.getCause() instanceof RuntimeException cause) {
        throw cause;
      }
      throw new InternalException("the store could not be opened", e);
    }
  }
}
