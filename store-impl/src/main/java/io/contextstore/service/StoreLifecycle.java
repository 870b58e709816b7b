package io.contextstore.service;

import io.contextstore.api.NewStore;
import io.contextstore.api.StoreName;
import io.contextstore.api.error.AlreadyExistsException;
import io.contextstore.api.error.InternalException;
import io.contextstore.api.error.NotFoundException;
import io.contextstore.maintenance.Coordinator;
import io.contextstore.view.Catalog;
import io.contextstore.view.CatalogEntry;
import io.contextstore.view.Store;
import io.contextstore.view.StoreEnvironment;
import io.contextstore.view.StoreId;
import io.contextstore.view.StoreKind;
import io.contextstore.view.StoreRegistry;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * Creates and drops stores, in the order that survives a crash at every step: folders, entry,
 * sight; and the other way round. Safe for use by many threads.
 */
final class StoreLifecycle {
  private static final Logger LOGGER = System.getLogger(StoreLifecycle.class.getName());

  private final Coordinator coordinator;
  private final StoreRegistry registry;
  private final Catalog catalog;
  private final StoreEnvironment environment;

  StoreLifecycle(
      Coordinator coordinator,
      StoreRegistry registry,
      Catalog catalog,
      StoreEnvironment environment) {
    this.coordinator = coordinator;
    this.registry = registry;
    this.catalog = catalog;
    this.environment = environment;
  }

  /** Creates a store; it is durable and open when the call returns. */
  CatalogEntry create(StoreKind kind, NewStore store) {
    StoreId id = StoreId.create(store.name(), kind);
    CatalogEntry entry =
        new CatalogEntry(
            id,
            store.schema(),
            store.storageOptions(),
            store.sealOnAdd(),
            Instant.now().truncatedTo(ChronoUnit.MICROS));
    if (!coordinator.prepareCreate(registry, id)) {
      throw new AlreadyExistsException("the store '" + store.name() + "' exists already");
    }
    boolean made = false;
    try {
      catalog.markDebris(id);
      registry.createFolders(entry);
      catalog.put(entry);
      made = true;
    } catch (IOException e) {
      throw new InternalException("the store could not be created", e);
    } finally {
      if (!made) {
        undoCreate(id);
        coordinator.abandonCreate(registry, id);
      }
    }
    coordinator.commitCreate(registry, entry);
    unmark(id);
    return entry;
  }

  private void undoCreate(StoreId id) {
    try {
      // The entry may be there although writing it failed.
      catalog.remove(id);
      catalog.removeDebris(id);
    } catch (IOException e) {
      LOGGER.log(Level.WARNING, "What is left of store " + id + " goes at the next start", e);
    }
  }

  private void unmark(StoreId id) {
    try {
      catalog.unmarkDebris(id);
    } catch (IOException e) {
      LOGGER.log(Level.WARNING, "The marker of store " + id + " goes at the next start", e);
    }
  }

  /** Drops a store: gone for everybody when the call returns, its folders a little later. */
  void drop(StoreKind kind, StoreName name) {
    CatalogEntry entry = registry.entry(kind, name).orElseThrow(() -> notFound(name));
    if (!coordinator.prepareDrop(registry, entry.id())) {
      throw notFound(name);
    }
    try {
      catalog.markDebris(entry.id());
      catalog.remove(entry.id());
    } catch (IOException e) {
      restore(entry, e);
      coordinator.abandonDrop(registry, entry.id());
      throw new InternalException("the store could not be dropped", e);
    }
    Optional<CompletionStage<Store>> open = coordinator.commitDrop(registry, entry.id());
    if (open.isPresent()) {
      open.get()
          .whenCompleteAsync(
              (store, error) -> collect(entry.id(), store), environment.disposerThreads());
    } else {
      environment.disposerThreads().execute(() -> removeFolders(entry.id()));
    }
  }

  static NotFoundException notFound(StoreName name) {
    return new NotFoundException("there is no store '" + name + "'");
  }

  private void restore(CatalogEntry entry, IOException removing) {
    try {
      catalog.put(entry);
      catalog.unmarkDebris(entry.id());
    } catch (IOException e) {
      removing.addSuppressed(e);
    }
  }

  private void collect(StoreId id, @Nullable Store store) {
    if (store == null) {
      removeFolders(id);
      return;
    }
    store
        .close()
        .whenCompleteAsync((done, error) -> removeFolders(id), environment.disposerThreads());
  }

  private void removeFolders(StoreId id) {
    try {
      catalog.removeDebris(id);
    } catch (IOException e) {
      LOGGER.log(Level.WARNING, "The folders of the dropped store " + id + " stay for now", e);
    }
  }
}
