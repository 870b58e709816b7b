/**
 * Every failure that leaves the engine, as one sealed family. Each knows its {@link
 * io.contextstore.api.error.ErrorCode}, and by it the HTTP status; its message is written for the
 * user and names no path, URI or credential of the server.
 */
@NullMarked
package io.contextstore.api.error;

import org.jspecify.annotations.NullMarked;
