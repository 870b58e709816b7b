package io.contextstore.view;

import io.contextstore.api.StoreName;
import io.contextstore.api.schema.SchemaJson;
import io.contextstore.api.schema.StoreSchema;
import jakarta.json.Json;
import jakarta.json.JsonObject;
import jakarta.json.JsonObjectBuilder;
import jakarta.json.JsonReader;
import jakarta.json.JsonString;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * What is kept of a store beside its rows. Its JSON form is a file of the catalog.
 *
 * @param id name, kind and incarnation
 * @param schema the columns
 * @param storageOptions as given; may hold credentials
 * @param sealOnAdd whether each append asks for a seal
 * @param createdAt when the store was created
 */
public record CatalogEntry(
    StoreId id,
    StoreSchema schema,
    Map<String, String> storageOptions,
    boolean sealOnAdd,
    Instant createdAt) {
  private static final int FORMAT = 1;

  /** Copies the options. */
  public CatalogEntry {
    storageOptions = Map.copyOf(storageOptions);
  }

  byte[] toJson() {
    JsonObjectBuilder options = Json.createObjectBuilder();
    new TreeMap<>(storageOptions).forEach(options::add);
    return Json.createObjectBuilder()
        .add("format", FORMAT)
        .add("name", id.name().value())
        .add("kind", id.kind().label())
        .add("incarnation", id.incarnation())
        .add("created_at", createdAt.toString())
        .add("seal_on_add", sealOnAdd)
        .add("storage_options", options)
        .add("schema", SchemaJson.render(schema))
        .build()
        .toString()
        .getBytes(StandardCharsets.UTF_8);
  }

  /** Reads {@link #toJson}; throws a runtime exception when the bytes are anything else. */
  static CatalogEntry fromJson(byte[] json) {
    JsonObject object;
    try (JsonReader reader =
        Json.createReader(new StringReader(new String(json, StandardCharsets.UTF_8)))) {
      object = reader.readObject();
    }
    int format = object.getInt("format");
    if (format != FORMAT) {
      throw new IllegalArgumentException("format " + format + " is not known to this version");
    }
    StoreId id =
        new StoreId(
            new StoreName(object.getString("name")),
            StoreKind.of(object.getString("kind")),
            object.getString("incarnation"));
    Map<String, String> options =
        object.getJsonObject("storage_options").entrySet().stream()
            .collect(
                Collectors.toMap(
                    Map.Entry::getKey, option -> ((JsonString) option.getValue()).getString()));
    return new CatalogEntry(
        id,
        SchemaJson.parse(object.getJsonObject("schema")),
        options,
        object.getBoolean("seal_on_add"),
        Instant.parse(object.getString("created_at")));
  }

  @Override
  public String toString() {
    return "CatalogEntry[" + id + "]";
  }
}
