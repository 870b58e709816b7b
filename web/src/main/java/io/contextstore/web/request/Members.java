package io.contextstore.web.request;

import io.contextstore.api.error.InvalidRequestException;
import jakarta.json.JsonArray;
import jakarta.json.JsonObject;
import jakarta.json.JsonString;
import jakarta.json.JsonValue;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The members of a request object, by name and type. Unknown members are refused; an optional
 * member that is null counts as absent, because clients write their unset options so.
 */
final class Members {
  private final JsonObject object;

  /** Wraps {@code object}, which may have no other members than {@code known}. */
  Members(JsonObject object, String... known) {
    this.object = object;
    Set<String> names = Set.of(known);
    for (String name : object.keySet()) {
      if (!names.contains(name)) {
        throw new InvalidRequestException("unknown member '" + name + "'");
      }
    }
  }

  /** A member that must be there. */
  JsonValue required(String name) {
    return optional(name)
        .orElseThrow(() -> new InvalidRequestException("the member '" + name + "' is missing"));
  }

  /** Text that must be there. */
  String text(String name) {
    return string(required(name), "'" + name + "'");
  }

  /** True, false, or false when absent. */
  boolean flag(String name) {
    return optional(name)
        .map(
            value ->
                switch (value.getValueType()) {
                  case TRUE -> true;
                  case FALSE -> false;
                  default ->
                      throw new InvalidRequestException("'" + name + "' must be true or false");
                })
        .orElse(false);
  }

  /** An array of text, empty when absent. */
  Optional<List<String>> texts(String name) {
    return optional(name)
        .map(
            value -> {
              if (!(value instanceof JsonArray array)) {
                throw new InvalidRequestException("'" + name + "' must be an array of strings");
              }
              List<String> texts = new ArrayList<>(array.size());
              for (int i = 0; i < array.size(); i++) {
                texts.add(string(array.get(i), name + "[" + i + "]"));
              }
              return texts;
            });
  }

  /** An object whose values are text, empty when absent. Messages name no value. */
  Map<String, String> textMap(String name) {
    Map<String, String> map = new LinkedHashMap<>();
    optional(name)
        .ifPresent(
            value -> {
              if (!(value instanceof JsonObject members)) {
                throw new InvalidRequestException("'" + name + "' must be an object of strings");
              }
              members.forEach(
                  (key, text) -> map.put(key, string(text, "'" + name + "." + key + "'")));
            });
    return map;
  }

  private Optional<JsonValue> optional(String name) {
    return Optional.ofNullable(object.get(name)).filter(value -> !value.equals(JsonValue.NULL));
  }

  private static String string(JsonValue value, String what) {
    if (value instanceof JsonString text) {
      return text.getString();
    }
    throw new InvalidRequestException(what + " must be a string");
  }
}
