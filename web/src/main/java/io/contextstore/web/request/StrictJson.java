package io.contextstore.web.request;

import io.contextstore.api.error.InvalidRequestException;
import jakarta.json.Json;
import jakarta.json.JsonArray;
import jakarta.json.JsonArrayBuilder;
import jakarta.json.JsonBuilderFactory;
import jakarta.json.JsonObject;
import jakarta.json.JsonObjectBuilder;
import jakarta.json.JsonValue;
import jakarta.json.stream.JsonLocation;
import jakarta.json.stream.JsonParser;
import jakarta.json.stream.JsonParser.Event;
import jakarta.json.stream.JsonParserFactory;
import jakarta.json.stream.JsonParsingException;
import java.io.IOException;
import java.io.InputStream;
import java.io.StringReader;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Set;

/**
 * Reads a small JSON object strictly: UTF-8 only, nothing behind the object, no member twice, no
 * deep nesting, no endless numbers. The parser of the platform leaves each of these to its vendor.
 */
final class StrictJson {
  static final int MAX_DEPTH = 32;
  static final int MAX_NUMBER_LENGTH = 64;

  private static final JsonParserFactory PARSERS = Json.createParserFactory(Map.of());
  private static final JsonBuilderFactory BUILDERS = Json.createBuilderFactory(Map.of());

  private final JsonParser parser;

  private StrictJson(JsonParser parser) {
    this.parser = parser;
  }

  /** Reads the object, or throws {@link InvalidRequestException}. Does not close {@code body}. */
  static JsonObject object(InputStream body) throws IOException {
    String text = utf8(body.readAllBytes());
    try (JsonParser parser = PARSERS.createParser(new StringReader(text))) {
      JsonValue value = new StrictJson(parser).whole();
      if (value instanceof JsonObject object) {
        return object;
      }
      throw new InvalidRequestException("the body must be a JSON object");
    } catch (JsonParsingException e) {
      JsonLocation at = e.getLocation();
      throw new InvalidRequestException(
          "the body is not valid JSON (line "
              + at.getLineNumber()
              + ", column "
              + at.getColumnNumber()
              + ")",
          e);
    } catch (NoSuchElementException e) {
      throw new InvalidRequestException("the body is not valid JSON: it ends too early", e);
    }
  }

  private static String utf8(byte[] body) {
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(body)).toString();
    } catch (CharacterCodingException e) {
      throw new InvalidRequestException("the body is not UTF-8", e);
    }
  }

  private JsonValue whole() {
    JsonValue value = value(parser.next(), 1);
    if (parser.hasNext()) {
      throw new InvalidRequestException("the body goes on behind its JSON value");
    }
    return value;
  }

  private JsonValue value(Event event, int depth) {
    if (depth > MAX_DEPTH) {
      throw new InvalidRequestException("the body nests deeper than " + MAX_DEPTH + " levels");
    }
    return switch (event) {
      case START_OBJECT -> members(depth);
      case START_ARRAY -> items(depth);
      case VALUE_NUMBER -> number();
      default -> parser.getValue();
    };
  }

  private JsonObject members(int depth) {
    JsonObjectBuilder object = BUILDERS.createObjectBuilder();
    Set<String> seen = new HashSet<>();
    while (parser.next() == Event.KEY_NAME) {
      String name = parser.getString();
      if (!seen.add(name)) {
        throw new InvalidRequestException("the member '" + name + "' is there twice");
      }
      object.add(name, value(parser.next(), depth + 1));
    }
    return object.build();
  }

  private JsonArray items(int depth) {
    JsonArrayBuilder array = BUILDERS.createArrayBuilder();
    for (Event next = parser.next(); next != Event.END_ARRAY; next = parser.next()) {
      array.add(value(next, depth + 1));
    }
    return array.build();
  }

  private JsonValue number() {
    String digits = parser.getString();
    if (digits.length() > MAX_NUMBER_LENGTH) {
      throw new InvalidRequestException(
          "a number has more than " + MAX_NUMBER_LENGTH + " characters");
    }
    return parser.getValue();
  }
}
