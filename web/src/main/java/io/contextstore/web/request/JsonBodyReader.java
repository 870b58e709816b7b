package io.contextstore.web.request;

import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.MultivaluedMap;
import jakarta.ws.rs.ext.MessageBodyReader;
import java.io.IOException;
import java.io.InputStream;
import java.lang.annotation.Annotation;
import java.lang.reflect.Type;

/** Reads bodies of exactly one type, whatever the annotations and headers say. */
abstract class JsonBodyReader<T> implements MessageBodyReader<T> {
  /** Makes a value of a body, or throws what is wrong with it. */
  interface Parser<T> {
    T read(InputStream body) throws IOException;
  }

  private final Class<T> bodyType;
  private final Parser<T> parser;

  JsonBodyReader(Class<T> bodyType, Parser<T> parser) {
    this.bodyType = bodyType;
    this.parser = parser;
  }

  @Override
  public boolean isReadable(
      Class<?> type, Type genericType, Annotation[] annotations, MediaType mediaType) {
    return type == bodyType;
  }

  @Override
  public T readFrom(
      Class<T> type,
      Type genericType,
      Annotation[] annotations,
      MediaType mediaType,
      MultivaluedMap<String, String> headers,
      InputStream body)
      throws IOException {
    return parser.read(body);
  }
}
