package io.contextstore.web.request;

import io.contextstore.api.RowKey;
import io.contextstore.api.RowsRequest;
import io.contextstore.api.error.InvalidRequestException;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.MultivaluedMap;
import jakarta.ws.rs.ext.MessageBodyReader;
import jakarta.ws.rs.ext.Provider;
import java.io.IOException;
import java.io.InputStream;
import java.lang.annotation.Annotation;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.List;

/** Reads {@code {ids, columns?}}. */
@Provider
@Consumes(MediaType.APPLICATION_JSON)
public class RowsRequestReader implements MessageBodyReader<RowsRequest> {
  @Override
  public boolean isReadable(
      Class<?> type, Type genericType, Annotation[] annotations, MediaType mediaType) {
    return type == RowsRequest.class;
  }

  @Override
  public RowsRequest readFrom(
      Class<RowsRequest> type,
      Type genericType,
      Annotation[] annotations,
      MediaType mediaType,
      MultivaluedMap<String, String> headers,
      InputStream body)
      throws IOException {
    return read(body);
  }

  static RowsRequest read(InputStream body) throws IOException {
    Members members = new Members(StrictJson.object(body), "ids", "columns");
    List<String> ids =
        members
            .texts("ids")
            .orElseThrow(() -> new InvalidRequestException("the member 'ids' is missing"));
    List<String> columns = members.texts("columns").orElse(List.of());
    return new RowsRequest(keys(ids), QueryValues.columnNames(columns));
  }

  private static List<RowKey> keys(List<String> ids) {
    List<RowKey> keys = new ArrayList<>(ids.size());
    for (int i = 0; i < ids.size(); i++) {
      try {
        keys.add(RowKey.of(ids.get(i)));
      } catch (InvalidRequestException e) {
        throw new InvalidRequestException("ids[" + i + "]: " + e.getMessage(), e);
      }
    }
    return keys;
  }
}
