package io.contextstore.web.request;

import io.contextstore.api.NewStore;
import io.contextstore.api.StoreName;
import io.contextstore.api.schema.SchemaJson;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.MultivaluedMap;
import jakarta.ws.rs.ext.MessageBodyReader;
import jakarta.ws.rs.ext.Provider;
import java.io.IOException;
import java.io.InputStream;
import java.lang.annotation.Annotation;
import java.lang.reflect.Type;

/** Reads {@code {name, schema, storage_options?, seal_on_add?}}. */
@Provider
@Consumes(MediaType.APPLICATION_JSON)
public class NewStoreReader implements MessageBodyReader<NewStore> {
  @Override
  public boolean isReadable(
      Class<?> type, Type genericType, Annotation[] annotations, MediaType mediaType) {
    return type == NewStore.class;
  }

  @Override
  public NewStore readFrom(
      Class<NewStore> type,
      Type genericType,
      Annotation[] annotations,
      MediaType mediaType,
      MultivaluedMap<String, String> headers,
      InputStream body)
      throws IOException {
    return read(body);
  }

  static NewStore read(InputStream body) throws IOException {
    Members members =
        new Members(StrictJson.object(body), "name", "schema", "storage_options", "seal_on_add");
    return new NewStore(
        new StoreName(members.text("name")),
        SchemaJson.parse(members.required("schema")),
        members.textMap("storage_options"),
        members.flag("seal_on_add"));
  }
}
