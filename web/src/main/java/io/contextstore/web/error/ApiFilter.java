package io.contextstore.web.error;

import io.contextstore.api.error.StoreException;
import io.contextstore.web.request.Address;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.annotation.WebFilter;
import jakarta.servlet.http.HttpFilter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;

/**
 * Stands before JAX-RS: refuses addresses that could be misread, and answers what escapes from
 * behind. A failure after the first byte is passed on, so that the container cuts the connection
 * and the client does not take half an answer for a whole one.
 */
@WebFilter("/api/*")
public class ApiFilter extends HttpFilter {
  private static final long serialVersionUID = 1L;

  @Override
  protected void doFilter(
      HttpServletRequest request, HttpServletResponse response, FilterChain chain)
      throws IOException, ServletException {
    try {
      Address.check(request.getRequestURI(), request.getQueryString());
    } catch (StoreException refusal) {
      ErrorWriter.write(ErrorAnswer.of(refusal), response);
      return;
    }
    try {
      chain.doFilter(request, response);
    } catch (RuntimeException | ServletException failure) {
      if (response.isCommitted()) {
        throw failure;
      }
      Throwable cause = failure.getCause();
      ErrorWriter.write(
          ErrorAnswer.of(
              failure instanceof ServletException && cause != null ? cause : failure),
          response);
    }
  }
}
