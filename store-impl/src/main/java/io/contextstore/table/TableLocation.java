package io.contextstore.table;

import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/**
 * Where a table lies and how its storage is reached.
 *
 * @param uri an absolute local path, or a URI of an object store such as {@code s3://bucket/folder}
 * @param storageOptions options of the object store, credentials among them: never to be logged
 */
public record TableLocation(String uri, Map<String, String> storageOptions) {
  public TableLocation {
    storageOptions = Map.copyOf(storageOptions);
  }

  /** A table in a local folder. */
  public static TableLocation local(Path folder) {
    return new TableLocation(folder.toAbsolutePath().normalize().toString(), Map.of());
  }

  /** The folder of a local table; empty for an object store, which syncs by itself. */
  public Optional<Path> localFolder() {
    return uri.contains("://") ? Optional.empty() : Optional.of(Path.of(uri));
  }

  /** The URI alone: the options hold credentials. */
  @Override
  public String toString() {
    return uri;
  }
}
