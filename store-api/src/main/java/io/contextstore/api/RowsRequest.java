package io.contextstore.api;

import io.contextstore.api.error.InvalidRequestException;
import java.util.List;

/**
 * Rows asked for by their keys.
 *
 * @param keys the keys, at most {@link #MAX_KEYS}; a key may be there more than once
 * @param columns the columns wanted, in this order; empty means all but blobs
 */
public record RowsRequest(List<RowKey> keys, List<String> columns) {
  /** The most keys of one request. */
  public static final int MAX_KEYS = 1024;

  /** Copies the lists and checks the number of keys. */
  public RowsRequest {
    if (keys.size() > MAX_KEYS) {
      throw new InvalidRequestException(
          "a request names at most " + MAX_KEYS + " ids, this one has " + keys.size());
    }
    keys = List.copyOf(keys);
    columns = List.copyOf(columns);
  }
}
