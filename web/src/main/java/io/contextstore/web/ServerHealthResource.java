package io.contextstore.web;

import io.contextstore.api.rest.HealthResource;
import io.contextstore.web.answer.Answers;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.json.Json;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.Response.Status;

/** Says that requests arrive. */
@ApplicationScoped
public class ServerHealthResource implements HealthResource {
  @Override
  public Response health() {
    return Answers.json(Status.OK, Json.createObjectBuilder().add("status", "ok").build());
  }
}
