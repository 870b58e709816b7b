package io.contextstore.api;

import java.util.Optional;

/**
 * Whether the server can take requests, for health checks. Both methods answer from memory and are
 * safe for use by many threads.
 */
public interface ServerStatus {
  /** Whether the start is over: the catalog has been read. Stays true afterwards. */
  boolean started();

  /**
   * Why requests would be refused now, in words for the operator that name no path, URI or
   * credential; empty when the server is ready.
   */
  Optional<String> notReadyReason();
}
