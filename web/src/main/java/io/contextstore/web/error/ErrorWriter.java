package io.contextstore.web.error;

import jakarta.servlet.http.HttpServletResponse;
import jakarta.ws.rs.core.MediaType;
import java.io.IOException;

/** Writes an error answer where JAX-RS is not in charge. */
final class ErrorWriter {
  private ErrorWriter() {}

  /** Replaces whatever the response holds; it must not be committed. */
  static void write(ErrorAnswer answer, HttpServletResponse response) throws IOException {
    response.resetBuffer();
    response.setStatus(answer.status());
    response.setContentType(MediaType.APPLICATION_JSON);
    answer.headers().forEach(response::setHeader);
    byte[] body = answer.body();
    response.setContentLength(body.length);
    response.getOutputStream().write(body);
  }
}
