package io.contextstore.web.error;

import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpServletResponseWrapper;
import java.util.Map;

/**
 * Answers {@code sendError} with the error body on the spot. Left to the container it would become
 * a dispatch to the error page, which is logged as a failure when the client has gone.
 */
final class ErrorBodyResponse extends HttpServletResponseWrapper {
  ErrorBodyResponse(HttpServletResponse response) {
    super(response);
  }

  @Override
  public void sendError(int status, String message) {
    sendError(status);
  }

  @Override
  public void sendError(int status) {
    if (isCommitted()) {
      throw new IllegalStateException("the answer has begun");
    }
    ErrorWriter.write(ErrorAnswer.ofStatus(status, Map.of()), this);
  }
}
