package io.contextstore.web.request;

import io.contextstore.api.NewStore;
import io.contextstore.api.StoreName;
import io.contextstore.api.schema.SchemaJson;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.ext.Provider;
import java.io.IOException;
import java.io.InputStream;

/** Reads {@code {name, schema, storage_options?, seal_on_add?}}. */
@Provider
@Consumes(MediaType.APPLICATION_JSON)
public class NewStoreReader extends JsonBodyReader<NewStore> {
  /** For the container. */
  public NewStoreReader() {
    super(NewStore.class, NewStoreReader::read);
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
