package io.contextstore.web.fake;

import io.contextstore.api.Appended;
import io.contextstore.api.GenericStores;
import io.contextstore.api.ListQuery;
import io.contextstore.api.NewStore;
import io.contextstore.api.RowKey;
import io.contextstore.api.RowStream;
import io.contextstore.api.StoreDescription;
import io.contextstore.api.StoreName;
import io.contextstore.api.StoreSummary;
import io.contextstore.api.error.AlreadyExistsException;
import io.contextstore.api.error.InternalException;
import io.contextstore.api.error.InvalidRequestException;
import io.contextstore.api.error.NotFoundException;
import io.contextstore.api.error.OverloadedException;
import io.contextstore.api.schema.StoreSchema;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.json.Json;
import jakarta.json.JsonArray;
import jakarta.json.JsonException;
import jakarta.json.JsonObject;
import jakarta.json.JsonObjectBuilder;
import jakarta.json.JsonReader;
import jakarta.json.JsonString;
import jakarta.json.JsonValue;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

/**
 * Generic stores in memory. The store {@code broken} fails with a secret in its text, {@code busy}
 * is overloaded, {@code lost} has an unknown outcome, {@code endless} streams for ever, {@code
 * breaking} fails in the middle of its stream; {@code open-streams} tells in its version how many
 * streams are open.
 */
@ApplicationScoped
public class FakeGenericStores implements GenericStores {
  private record Store(StoreDescription description, Map<String, JsonObject> rows) {}

  private final Map<StoreName, Store> stores = new ConcurrentHashMap<>();
  private final AtomicInteger openStreams = new AtomicInteger();

  @Override
  public StoreDescription create(NewStore store) {
    StoreDescription description =
        new StoreDescription(store.name(), "memory://" + store.name(), 1, store.schema());
    if (stores.putIfAbsent(store.name(), new Store(description, new ConcurrentSkipListMap<>()))
        != null) {
      throw new AlreadyExistsException("store '" + store.name() + "' exists already");
    }
    return description;
  }

  @Override
  public List<StoreSummary> list() {
    return stores.values().stream()
        .map(store -> new StoreSummary(store.description().name(), store.description().uri()))
        .sorted(Comparator.comparing(store -> store.name().value()))
        .toList();
  }

  @Override
  public StoreDescription describe(StoreName name) {
    if (name.value().equals("open-streams")) {
      return new StoreDescription(
          name,
          "",
          openStreams.get(),
          new StoreSchema(
              List.of(
                  new io.contextstore.api.schema.Column(
                      "id", new io.contextstore.api.schema.ColumnType.Text(false), false))));
    }
    return store(name).description();
  }

  @Override
  public void drop(StoreName name) {
    if (stores.remove(name) == null) {
      throw missing(name);
    }
  }

  @Override
  public Appended append(StoreName name, InputStream json) {
    Store store = store(name);
    List<JsonObject> rows = new ArrayList<>();
    try (JsonReader reader = Json.createReader(new ByteArrayInputStream(json.readAllBytes()))) {
      JsonArray array = reader.readObject().getJsonArray("rows");
      for (int i = 0; i < array.size(); i++) {
        if (!(array.get(i) instanceof JsonObject row) || !(row.get("id") instanceof JsonString)) {
          throw new InvalidRequestException("row " + i + ": column 'id' expects a string");
        }
        rows.add(row);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (JsonException | ClassCastException | NullPointerException e) {
      throw new InvalidRequestException("the body is not {\"rows\": [...]}", e);
    }
    rows.forEach(row -> store.rows().put(row.getString("id"), row));
    return new Appended(store.description().version(), rows.size());
  }

  @Override
  public RowStream get(StoreName name, RowKey key, List<String> columns) {
    JsonObject row = store(name).rows().get(key.text());
    if (row == null) {
      throw new NotFoundException("there is no row with this id");
    }
    return rows(name, project(row, columns).toString());
  }

  @Override
  public RowStream getMany(StoreName name, List<RowKey> keys, List<String> columns) {
    Map<String, JsonObject> rows = store(name).rows();
    return envelope(
        name,
        new LinkedHashSet<>(keys)
            .stream().map(RowKey::text).filter(rows::containsKey).map(rows::get),
        columns);
  }

  @Override
  public RowStream rows(StoreName name, ListQuery query) {
    query
        .filter()
        .ifPresent(
            filter -> {
              throw new InvalidRequestException("filter: cannot read '" + filter + "'");
            });
    return envelope(
        name,
        store(name).rows().values().stream()
            .skip(query.offset().orElse(0))
            .limit(query.limit().orElse(Long.MAX_VALUE)),
        query.columns());
  }

  @Override
  public void flush(StoreName name) {
    store(name);
  }

  @Override
  public int mergeWal(StoreName name) {
    store(name);
    return 3;
  }

  private Store store(StoreName name) {
    switch (name.value()) {
      case "broken" -> throw new IllegalStateException("s3://secret?key=hunter2 failed");
      case "internal" ->
          throw new InternalException("the log failed", new IllegalStateException("/secret/path"));
      case "busy" ->
          throw OverloadedException.nothingWritten("memory is full", Duration.ofMillis(1500));
      case "lost" ->
          throw OverloadedException.outcomeUnknown("the sync failed", Duration.ZERO, null);
      default -> {}
    }
    Store store = stores.get(name);
    if (store == null) {
      throw missing(name);
    }
    return store;
  }

  private static NotFoundException missing(StoreName name) {
    return new NotFoundException("there is no store '" + name + "'");
  }

  private RowStream envelope(StoreName name, Stream<JsonObject> rows, List<String> columns) {
    StringBuilder json = new StringBuilder("{\"rows\":[");
    rows.forEach(
        row ->
            json.append(json.charAt(json.length() - 1) == '[' ? "" : ",")
                .append(project(row, columns)));
    return rows(name, json.append("]}").toString());
  }

  private RowStream rows(StoreName name, String json) {
    openStreams.incrementAndGet();
    return new FakeRowStream(name.value(), json, openStreams::decrementAndGet);
  }

  private static JsonValue project(JsonObject row, List<String> columns) {
    if (columns.isEmpty()) {
      return row;
    }
    JsonObjectBuilder projected = Json.createObjectBuilder();
    for (String column : columns) {
      if (row.containsKey(column)) {
        projected.add(column, row.get(column));
      }
    }
    return projected.build();
  }
}
