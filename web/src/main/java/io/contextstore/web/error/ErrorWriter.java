package io.contextstore.web.error;

import jakarta.servlet.http.HttpServletResponse;
import jakarta.ws.rs.core.MediaType;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;

/** Writes an error answer where JAX-RS is not in charge. */
final class ErrorWriter {
  private static final Logger LOG = System.getLogger(ErrorWriter.class.getName());

  private ErrorWriter() {}

  /** Replaces whatever the response holds; it must not be committed. */
  static void write(ErrorAnswer answer, HttpServletResponse response) {
    response.resetBuffer();
    response.setStatus(answer.status());
    response.setContentType(MediaType.APPLICATION_JSON);
    answer.headers().forEach(response::setHeader);
    byte[] body = answer.body();
    response.setContentLength(body.length);
    try {
      response.getOutputStream().write(body);
    } catch (IOException e) {
      // The client left: it is the one who would have been told.
      LOG.log(Level.DEBUG, "nobody was there to read an error answer", e);
    }
  }
}
