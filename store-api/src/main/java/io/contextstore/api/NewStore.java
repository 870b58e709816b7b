package io.contextstore.api;

import io.contextstore.api.schema.StoreSchema;
import java.util.Map;

/**
 * A store to be created.
 *
 * @param name its name
 * @param schema its columns, immutable from then on
 * @param storageOptions options of the object storage behind it; may hold credentials, so it is
 *     never shown
 * @param sealOnAdd whether each append asks for a seal; seals are coalesced
 */
public record NewStore(
    StoreName name, StoreSchema schema, Map<String, String> storageOptions, boolean sealOnAdd) {
  /** Copies the options. */
  public NewStore {
    storageOptions = Map.copyOf(storageOptions);
  }

  @Override
  public String toString() {
    return "NewStore[name=" + name + ", schema=" + schema + ", sealOnAdd=" + sealOnAdd + "]";
  }
}
