package io.contextstore.web.error;

import jakarta.servlet.RequestDispatcher;
import jakarta.servlet.annotation.WebServlet;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.util.Map;

/** The container's error page: what it refuses by itself gets the error body, too. */
@WebServlet("/error-page")
public class ErrorPage extends HttpServlet {
  private static final long serialVersionUID = 1L;

  @Override
  protected void service(HttpServletRequest request, HttpServletResponse response) {
    Object failure = request.getAttribute(RequestDispatcher.ERROR_EXCEPTION);
    Object status = request.getAttribute(RequestDispatcher.ERROR_STATUS_CODE);
    ErrorAnswer answer =
        failure instanceof Throwable thrown
            ? ErrorAnswer.of(thrown)
            // Without a status somebody asked for this page itself.
            : ErrorAnswer.ofStatus(status instanceof Integer known ? known : 404, Map.of());
    ErrorWriter.write(answer, response);
  }
}
