package io.contextstore.web.error;

import io.contextstore.api.error.InvalidRequestException;
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
 * behind. It sees every path, because the container routes by the decoded and resolved path: an id
 * with {@code /../} in it can lead a request out of the API.
 */
@WebFilter("/*")
public class ApiFilter extends HttpFilter {
  private static final long serialVersionUID = 1L;
  private static final String API = "/api/v1";

  @Override
  protected void doFilter(
      HttpServletRequest request, HttpServletResponse response, FilterChain chain)
      throws IOException, ServletException {
    try {
      checkAddress(request);
    } catch (StoreException refusal) {
      ErrorWriter.write(ErrorAnswer.of(refusal), response);
      return;
    }
    try {
      chain.doFilter(request, new ErrorBodyResponse(response));
    } catch (RuntimeException | ServletException failure) {
      if (response.isCommitted()) {
        throw failure;
      }
      Throwable cause = failure.getCause();
      ErrorWriter.write(
          ErrorAnswer.of(failure instanceof ServletException && cause != null ? cause : failure),
          response);
    }
  }

  private static void checkAddress(HttpServletRequest request) {
    String path = request.getRequestURI();
    boolean asked = path.startsWith(API + "/");
    boolean routed = request.getServletPath().equals(API);
    if (asked || routed) {
      Address.check(path, request.getQueryString());
    }
    if (asked && !routed) {
      throw new InvalidRequestException(
          "a row whose id has '/../' in it cannot be found by its path; use get-rows");
    }
  }
}
