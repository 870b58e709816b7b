package io.contextstore.service;

import io.contextstore.api.Appended;
import io.contextstore.api.GenericStores;
import io.contextstore.api.ListQuery;
import io.contextstore.api.NewStore;
import io.contextstore.api.RowKey;
import io.contextstore.api.RowStream;
import io.contextstore.api.StoreDescription;
import io.contextstore.api.StoreName;
import io.contextstore.api.StoreSummary;
import io.contextstore.api.error.InvalidRequestException;
import io.contextstore.api.error.NotFoundException;
import io.contextstore.codec.Projection;
import io.contextstore.codec.RowBatch;
import io.contextstore.filter.RenderedFilter;
import io.contextstore.read.RowCursor;
import io.contextstore.table.Deadline;
import io.contextstore.view.CatalogEntry;
import io.contextstore.view.Pin;
import io.contextstore.view.Store;
import io.contextstore.view.StoreKind;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;

/** Generic stores on one engine. Safe for use by many threads; holds no state of its own. */
public final class GenericStoreService implements GenericStores {
  private final Engine engine;

  /** Serves the stores of {@code engine}. */
  public GenericStoreService(Engine engine) {
    this.engine = engine;
  }

  @Override
  public StoreDescription create(NewStore store) {
    return Failures.translated(
        () -> {
          CatalogEntry entry = engine.lifecycle().create(StoreKind.GENERIC, store);
          return describe(entry.id().name());
        });
  }

  @Override
  public List<StoreSummary> list() {
    return engine.registry().entries(StoreKind.GENERIC).stream()
        .map(entry -> new StoreSummary(entry.id().name(), uri(entry)))
        .toList();
  }

  @Override
  public StoreDescription describe(StoreName name) {
    return Failures.translated(
        () -> {
          Store store = open(name);
          return new StoreDescription(
              name, uri(store.entry()), version(store), store.entry().schema());
        });
  }

  @Override
  public void drop(StoreName name) {
    Failures.translated(
        () -> {
          engine.lifecycle().drop(StoreKind.GENERIC, name);
          return name;
        });
  }

  @Override
  public Appended append(StoreName name, InputStream json) {
    return Failures.translated(
        () -> {
          Store store = open(name);
          RowBatch batch = parse(store, json);
          int count = batch.rowCount();
          if (count == 0) {
            batch.close();
          } else {
            store.append(batch.root(), false);
            if (store.entry().sealOnAdd()) {
              engine.maintainer().sealSoon(store);
            }
          }
          return new Appended(version(store), count);
        });
  }

  private RowBatch parse(Store store, InputStream json) {
    try {
      return store.parser().parse(json, engine.rows());
    } catch (IOException e) {
      throw new InvalidRequestException("the body broke off before its end", e);
    }
  }

  @Override
  public RowStream get(StoreName name, RowKey key, List<String> columns) {
    return Failures.translated(
        () -> {
          Store store = open(name);
          Projection projection = Projection.of(store.entry().schema(), columns);
          RowCursor cursor = engine.reader().byKeys(store, List.of(key), projection.names());
          try {
            if (!cursor.next()) {
              throw new NotFoundException("store '" + name + "' has no row with that id");
            }
            return JsonRows.bare(cursor, projection);
          } catch (RuntimeException | Error e) {
            cursor.close();
            throw e;
          }
        });
  }

  @Override
  public RowStream getMany(StoreName name, List<RowKey> keys, List<String> columns) {
    return Failures.translated(
        () -> {
          Store store = open(name);
          Projection projection = Projection.of(store.entry().schema(), columns);
          List<RowKey> distinct = new ArrayList<>(new LinkedHashSet<>(keys));
          return JsonRows.enveloped(
              engine.reader().byKeys(store, distinct, projection.names()), projection);
        });
  }

  @Override
  public RowStream rows(StoreName name, ListQuery query) {
    return Failures.translated(
        () -> {
          Store store = open(name);
          Projection projection = Projection.of(store.entry().schema(), query.columns());
          Optional<RenderedFilter> filter =
              query.filter().map(text -> engine.filters().compile(text, store.entry().schema()));
          RowCursor cursor =
              query.paged()
                  ? engine
                      .reader()
                      .page(
                          store,
                          filter,
                          projection.names(),
                          query.offset().orElse(0),
                          query.limit())
                  : engine.reader().all(store, filter, projection.names());
          return JsonRows.enveloped(cursor, projection);
        });
  }

  @Override
  public void flush(StoreName name) {
    Failures.translated(
        () -> {
          engine.maintainer().flush(open(name), deadline());
          return name;
        });
  }

  @Override
  public int mergeWal(StoreName name) {
    return Failures.translated(() -> engine.maintainer().mergeAll(open(name), deadline()));
  }

  private Deadline deadline() {
    return Deadline.after(engine.settings().requestDeadline());
  }

  private Store open(StoreName name) {
    return engine
        .registry()
        .open(StoreKind.GENERIC, name)
        .orElseThrow(() -> StoreLifecycle.notFound(name));
  }

  private String uri(CatalogEntry entry) {
    return engine.folder().tableFolder(entry.id()).toString();
  }

  private static long version(Store store) {
    try (Pin pin = store.pin()) {
      return pin.view().base().version();
    }
  }
}
