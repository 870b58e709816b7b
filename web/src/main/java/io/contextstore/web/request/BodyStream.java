package io.contextstore.web.request;

import io.contextstore.api.error.InvalidRequestException;
import io.contextstore.api.error.RequestTimeoutException;
import io.contextstore.api.error.StoreException;
import io.contextstore.api.error.TooLargeException;
import java.io.IOException;
import java.io.InputStream;
import java.net.SocketTimeoutException;
import java.util.concurrent.TimeoutException;

/**
 * A request body of bounded size that ends only when all of it has arrived: one that is too large,
 * breaks off or stalls throws the exception that answers the request, so that no reader takes a
 * part for the whole. The container owns and closes the stream below. Not safe for several threads.
 */
final class BodyStream extends InputStream {
  private final InputStream body;
  private final long declared;
  private final long limit;
  private long count;

  /**
   * Bounds {@code body}.
   *
   * @param declared the Content-Length, or -1 when there was none
   * @param limit the most bytes that may be read
   */
  BodyStream(InputStream body, long declared, long limit) {
    this.body = body;
    this.declared = declared;
    this.limit = limit;
  }

  /** The refusal of a body of more than {@code limit} bytes. */
  static TooLargeException tooLarge(long limit) {
    return new TooLargeException("the body may have at most " + limit + " bytes");
  }

  @Override
  public int read() {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
  }

  @Override
  public int read(byte[] into, int offset, int length) {
    int read;
    try {
      read = body.read(into, offset, length);
    } catch (IOException e) {
      throw broken(e);
    }
    if (read < 0) {
      if (count < declared) {
        throw new InvalidRequestException(
            "the body ended after " + count + " of " + declared + " bytes; nothing was written");
      }
      return -1;
    }
    count += read;
    if (count > limit) {
      throw tooLarge(limit);
    }
    return read;
  }

  @Override
  public int available() throws IOException {
    return body.available();
  }

  private static StoreException broken(IOException failure) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof TimeoutException || cause instanceof SocketTimeoutException) {
        return new RequestTimeoutException(
            "the body stopped arriving; nothing was written", failure);
      }
    }
    return new InvalidRequestException("the body broke off; nothing was written", failure);
  }
}
