package io.contextstore.web.answer;

import io.contextstore.api.Appended;
import io.contextstore.api.StoreDescription;
import io.contextstore.api.StoreSummary;
import io.contextstore.api.schema.SchemaJson;
import jakarta.json.Json;
import jakarta.json.JsonArrayBuilder;
import jakarta.json.JsonObject;
import java.util.List;

/** The JSON form of what the engine answers. */
public final class StoreJson {
  private StoreJson() {}

  /** {@code {name, uri, version, schema}}. */
  public static JsonObject description(StoreDescription store) {
    return Json.createObjectBuilder()
        .add("name", store.name().value())
        .add("uri", store.uri())
        .add("version", store.version())
        .add("schema", SchemaJson.render(store.schema()))
        .build();
  }

  /** {@code {stores: [{name, uri}]}}. */
  public static JsonObject summaries(List<StoreSummary> stores) {
    JsonArrayBuilder lines = Json.createArrayBuilder();
    for (StoreSummary store : stores) {
      lines.add(
          Json.createObjectBuilder().add("name", store.name().value()).add("uri", store.uri()));
    }
    return Json.createObjectBuilder().add("stores", lines).build();
  }

  /** {@code {version, count}}. */
  public static JsonObject appended(Appended appended) {
    return Json.createObjectBuilder()
        .add("version", appended.version())
        .add("count", appended.count())
        .build();
  }

  /** {@code {reclaimed}}. */
  public static JsonObject merged(int generations) {
    return Json.createObjectBuilder().add("reclaimed", generations).build();
  }
}
