package io.contextstore.web.error;

import jakarta.ws.rs.WebApplicationException;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.ext.ExceptionMapper;
import jakarta.ws.rs.ext.Provider;

/** The one mapper: every failure that JAX-RS sees gets the error body. */
@Provider
public class ErrorMapper implements ExceptionMapper<Throwable> {
  @Override
  public Response toResponse(Throwable failure) {
    if (failure instanceof WebApplicationException answer
        && answer.getResponse().getStatus() < Response.Status.BAD_REQUEST.getStatusCode()) {
      return answer.getResponse();
    }
    ErrorAnswer answer = ErrorAnswer.of(failure);
    Response.ResponseBuilder response =
        Response.status(answer.status())
            .type(MediaType.APPLICATION_JSON_TYPE)
            .entity(answer.body());
    answer.headers().forEach(response::header);
    return response.build();
  }
}
