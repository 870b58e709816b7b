package io.contextstore.api.schema;

import io.contextstore.api.error.InvalidRequestException;
import io.contextstore.api.error.Quote;
import io.contextstore.api.schema.ColumnType.Metric;
import jakarta.json.Json;
import jakarta.json.JsonArray;
import jakarta.json.JsonArrayBuilder;
import jakarta.json.JsonNumber;
import jakarta.json.JsonObject;
import jakarta.json.JsonObjectBuilder;
import jakarta.json.JsonString;
import jakarta.json.JsonValue;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * The JSON form of a schema: {@code {"columns":[[name, {"type": T, "nullable": true, …}], …]}}. It
 * is used on the wire and in the catalog. Unknown members are refused, so that a misspelt option is
 * never ignored.
 */
public final class SchemaJson {
  private static final String COLUMNS = "columns";
  private static final String TYPE = "type";
  private static final String NULLABLE = "nullable";

  private SchemaJson() {}

  /** Reads a schema, or throws {@link InvalidRequestException} that names the column at fault. */
  public static StoreSchema parse(JsonValue json) {
    JsonObject schema = object(json, "a schema");
    refuseUnknown(schema, Set.of(COLUMNS), "a schema");
    if (!(schema.get(COLUMNS) instanceof JsonArray pairs)) {
      throw new InvalidRequestException(
          "a schema needs \"columns\", an array of [name, {\"type\": …}] pairs");
    }
    List<Column> columns = new ArrayList<>(Math.min(pairs.size(), StoreSchema.MAX_COLUMNS + 1));
    for (int i = 0; i < pairs.size(); i++) {
      columns.add(column(i, pairs.get(i)));
    }
    return new StoreSchema(columns);
  }

  /** Writes a schema, with every option spelled out. */
  public static JsonObject render(StoreSchema schema) {
    JsonArrayBuilder columns = Json.createArrayBuilder();
    for (Column column : schema.columns()) {
      JsonObjectBuilder options = Json.createObjectBuilder();
      options.add(TYPE, column.type().label());
      options.add(NULLABLE, column.nullable());
      addOptions(options, column.type());
      columns.add(Json.createArrayBuilder().add(column.name()).add(options));
    }
    return Json.createObjectBuilder().add(COLUMNS, columns).build();
  }

  private static void addOptions(JsonObjectBuilder options, ColumnType type) {
    switch (type) {
      case ColumnType.Text text -> addIfSet(options, "large", text.large());
      case ColumnType.Binary binary -> addIfSet(options, "blob", binary.blob());
      case ColumnType.Vector vector ->
          options.add("dim", vector.dim()).add("metric", vector.metric().label());
      case ColumnType.ListOf list -> options.add("item", list.item().label());
      default -> {}
    }
  }

  private static void addIfSet(JsonObjectBuilder options, String name, boolean value) {
    if (value) {
      options.add(name, true);
    }
  }

  private static Column column(int index, JsonValue pair) {
    if (!(pair instanceof JsonArray array)
        || array.size() != 2
        || !(array.get(0) instanceof JsonString name)
        || !(array.get(1) instanceof JsonObject options)) {
      throw new InvalidRequestException(
          "column " + index + " of the schema is not a [name, {\"type\": …}] pair");
    }
    String where = "column '" + Quote.cut(name.getString()) + "'";
    if (!(options.get(TYPE) instanceof JsonString label)) {
      throw new InvalidRequestException(where + " needs a \"type\"");
    }
    ColumnType type = type(label.getString(), options, where);
    return new Column(name.getString(), type, bool(options, NULLABLE, true, where));
  }

  private static ColumnType type(String label, JsonObject options, String where) {
    return switch (label) {
      case "string" -> {
        allow(options, where, "large");
        yield new ColumnType.Text(bool(options, "large", false, where));
      }
      case "binary" -> {
        allow(options, where, "blob");
        yield new ColumnType.Binary(bool(options, "blob", false, where));
      }
      case "vector" -> {
        allow(options, where, "dim", "metric");
        yield vector(options, where);
      }
      case "list" -> {
        allow(options, where, "item");
        yield list(options, where);
      }
      default -> {
        allow(options, where);
        yield plain(label, where);
      }
    };
  }

  private static ColumnType.Scalar plain(String label, String where) {
    return switch (label) {
      case "string" -> new ColumnType.Text(false);
      case "int32" -> new ColumnType.Int32();
      case "int64" -> new ColumnType.Int64();
      case "float32" -> new ColumnType.Float32();
      case "float64" -> new ColumnType.Float64();
      case "bool" -> new ColumnType.Bool();
      case "timestamp" -> new ColumnType.Timestamp();
      case "binary" -> new ColumnType.Binary(false);
      default ->
          throw new InvalidRequestException(
              where
                  + ": unknown type '"
                  + Quote.cut(label)
                  + "'; known are string, int32, int64, float32, float64, bool, timestamp, binary,"
                  + " vector and list");
    };
  }

  private static ColumnType.Vector vector(JsonObject options, String where) {
    if (!(options.get("dim") instanceof JsonNumber dim) || !dim.isIntegral()) {
      throw new InvalidRequestException(where + ": a vector needs \"dim\", a whole number");
    }
    int size;
    try {
      size = dim.intValueExact();
    } catch (ArithmeticException e) {
      throw new InvalidRequestException(where + ": \"dim\" is too large", e);
    }
    JsonValue metric = options.get("metric");
    if (metric == null) {
      return new ColumnType.Vector(size, Metric.L2);
    }
    if (!(metric instanceof JsonString name)) {
      throw new InvalidRequestException(where + ": \"metric\" is l2, cosine or dot");
    }
    return switch (name.getString().toLowerCase(Locale.ROOT)) {
      case "l2", "euclidean" -> new ColumnType.Vector(size, Metric.L2);
      case "cosine" -> new ColumnType.Vector(size, Metric.COSINE);
      case "dot", "dot_product" -> new ColumnType.Vector(size, Metric.DOT);
      default -> throw new InvalidRequestException(where + ": \"metric\" is l2, cosine or dot");
    };
  }

  private static ColumnType.ListOf list(JsonObject options, String where) {
    if (!(options.get("item") instanceof JsonString item)) {
      throw new InvalidRequestException(where + ": a list needs \"item\", a scalar type");
    }
    return new ColumnType.ListOf(plain(item.getString(), where + ", its items"));
  }

  private static boolean bool(JsonObject options, String name, boolean absent, String where) {
    JsonValue value = options.get(name);
    if (value == null) {
      return absent;
    }
    return switch (value.getValueType()) {
      case TRUE -> true;
      case FALSE -> false;
      default -> throw new InvalidRequestException(where + ": \"" + name + "\" is true or false");
    };
  }

  private static void allow(JsonObject options, String where, String... names) {
    Set<String> allowed = new HashSet<>(Set.of(names));
    allowed.add(TYPE);
    allowed.add(NULLABLE);
    refuseUnknown(options, allowed, where);
  }

  private static JsonObject object(JsonValue json, String what) {
    if (json instanceof JsonObject object) {
      return object;
    }
    throw new InvalidRequestException(what + " is a JSON object");
  }

  private static void refuseUnknown(JsonObject object, Set<String> known, String where) {
    for (String name : object.keySet()) {
      if (!known.contains(name)) {
        throw new InvalidRequestException(where + ": unknown member '" + Quote.cut(name) + "'");
      }
    }
  }
}
