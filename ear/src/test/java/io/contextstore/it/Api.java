package io.contextstore.it;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/** A client of the API that knows HTTP and JSON and nothing of the server. */
final class Api implements AutoCloseable {
  private static final JsonFactory JSON = new JsonFactory();

  /**
   * An answer.
   *
   * @param status the HTTP status
   * @param body the body as text
   * @param response for its headers
   */
  record Answer(int status, String body, HttpResponse<String> response) {
    /** The body as maps, lists, text, longs, doubles, booleans and nulls. */
    Object json() {
      try (JsonParser parser = JSON.createParser(body)) {
        parser.nextToken();
        Object value = Api.value(parser);
        if (parser.nextToken() != null) {
          throw new AssertionError("text behind the JSON value: " + body);
        }
        return value;
      } catch (IOException e) {
        throw new AssertionError("not JSON: " + body, e);
      }
    }

    /** A member of the body, which is an object. */
    Object member(String name) {
      return ((Map<?, ?>) json()).get(name);
    }

    /** The code of an error body. */
    Object errorCode() {
      return ((Map<?, ?>) member("error")).get("code");
    }

    /** The message of an error body. */
    String errorMessage() {
      return (String) ((Map<?, ?>) member("error")).get("message");
    }

    /** A header of the response. */
    Optional<String> header(String name) {
      return response.headers().firstValue(name);
    }

    @Override
    public String toString() {
      return status + " " + body;
    }
  }

  private final HttpClient client = HttpClient.newHttpClient();
  private final String base;

  Api(URI server) {
    this.base = server + "/api/v1";
  }

  /** A JSON array. */
  @SuppressWarnings("unchecked") // Elements of any kind are Objects.
  static List<Object> list(Object json) {
    return (List<Object>) json;
  }

  /** A store name that no other test has. */
  static String newName() {
    return "t-" + UUID.randomUUID();
  }

  /** Percent-encodes a part of a path or query. */
  static String encode(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
  }

  Answer get(String path) {
    return send("GET", path, Optional.empty());
  }

  Answer delete(String path) {
    return send("DELETE", path, Optional.empty());
  }

  Answer post(String path) {
    return send("POST", path, Optional.empty());
  }

  Answer post(String path, String json) {
    return send("POST", path, Optional.of(json), "Content-Type", "application/json");
  }

  /** Any request; {@code headers} are names and values in turn. */
  Answer send(String method, String path, Optional<String> body, String... headers) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(base + path))
            .timeout(Duration.ofSeconds(60))
            .method(method, body.map(BodyPublishers::ofString).orElse(BodyPublishers.noBody()));
    if (headers.length > 0) {
      request.headers(headers);
    }
    try {
      HttpResponse<String> response =
          client.send(request.build(), HttpResponse.BodyHandlers.ofString());
      return new Answer(response.statusCode(), response.body(), response);
    } catch (IOException e) {
      throw new AssertionError(method + " " + path, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError(e);
    }
  }

  /** Creates a store whose columns are {@code id} and the given pairs. */
  String createStore(String... columns) {
    String name = newName();
    Answer answer = post("/generic", newStore(name, columns));
    if (answer.status() != 201) {
      throw new AssertionError("cannot create a store: " + answer);
    }
    return name;
  }

  /** The body that creates a store. */
  static String newStore(String name, String... columns) {
    List<String> pairs = new ArrayList<>();
    pairs.add("[\"id\",{\"type\":\"string\",\"nullable\":false}]");
    pairs.addAll(List.of(columns));
    return "{\"name\":\"" + name + "\",\"schema\":{\"columns\":" + pairs + "}}";
  }

  /** Appends rows, each a JSON object. */
  Answer append(String store, String... rows) {
    return post("/generic/" + store + "/rows", "{\"rows\":" + List.of(rows) + "}");
  }

  @Override
  public void close() {
    client.close();
  }

  private static Object value(JsonParser parser) throws IOException {
    return switch (parser.currentToken()) {
      case START_OBJECT -> {
        Map<String, Object> object = new LinkedHashMap<>();
        while (parser.nextToken() != JsonToken.END_OBJECT) {
          String name = parser.currentName();
          parser.nextToken();
          if (object.put(name, value(parser)) != null) {
            throw new AssertionError("member '" + name + "' is there twice");
          }
        }
        yield object;
      }
      case START_ARRAY -> {
        List<Object> array = new ArrayList<>();
        while (parser.nextToken() != JsonToken.END_ARRAY) {
          array.add(value(parser));
        }
        yield array;
      }
      case VALUE_STRING -> parser.getText();
      case VALUE_NUMBER_INT -> parser.getLongValue();
      case VALUE_NUMBER_FLOAT -> parser.getDoubleValue();
      case VALUE_TRUE -> true;
      case VALUE_FALSE -> false;
      case VALUE_NULL -> null;
      default -> throw new AssertionError("unexpected " + parser.currentToken());
    };
  }
}
