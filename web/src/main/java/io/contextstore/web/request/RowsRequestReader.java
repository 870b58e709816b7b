package io.contextstore.web.request;

import io.contextstore.api.RowKey;
import io.contextstore.api.RowsRequest;
import io.contextstore.api.error.InvalidRequestException;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.ext.Provider;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;

/** Reads {@code {ids, columns?}}. */
@Provider
@Consumes(MediaType.APPLICATION_JSON)
public class RowsRequestReader extends JsonBodyReader<RowsRequest> {
  /** For the container. */
  public RowsRequestReader() {
    super(RowsRequest.class, RowsRequestReader::read);
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
