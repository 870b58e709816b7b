package io.contextstore.web;

import io.contextstore.api.error.UnsupportedException;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.ws.rs.DELETE;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.core.Response;
import org.eclipse.microprofile.openapi.annotations.Operation;

/** Rollout stores are in the contract but not in this version; their calls say so. */
@ApplicationScoped
@Path("/rollouts{rest: (/.*)?}")
public class PlannedRolloutResource {
  @GET
  @Operation(hidden = true)
  public Response get() {
    throw notYet();
  }

  @POST
  @Operation(hidden = true)
  public Response post() {
    throw notYet();
  }

  @DELETE
  @Operation(hidden = true)
  public Response delete() {
    throw notYet();
  }

  private static UnsupportedException notYet() {
    return new UnsupportedException("rollout stores are not implemented yet");
  }
}
