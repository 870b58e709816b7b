package io.contextstore.web;

import io.contextstore.api.error.UnsupportedException;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.ws.rs.DELETE;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.PUT;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.core.Response;
import org.eclipse.microprofile.openapi.annotations.Operation;

/**
 * Calls on generic stores that are in the contract but not in this version: they say so, instead of
 * looking like a mistake in the address.
 */
@ApplicationScoped
@Path("/generic")
public class PlannedResource {
  @PUT
  @Path("/{name}/rows/{id}")
  @Operation(hidden = true)
  public Response putRow() {
    throw new UnsupportedException("replacing a row by PUT is not implemented yet");
  }

  @DELETE
  @Path("/{name}/rows/{id}")
  @Operation(hidden = true)
  public Response deleteRow() {
    throw new UnsupportedException("deleting a row is not implemented yet");
  }

  @POST
  @Path("/{name}/delete-rows")
  @Operation(hidden = true)
  public Response deleteRows() {
    throw new UnsupportedException("deleting rows is not implemented yet");
  }

  @GET
  @Path("/{name}/count")
  @Operation(hidden = true)
  public Response count() {
    throw new UnsupportedException("counting rows is not implemented yet");
  }

  @GET
  @Path("/{name}/stats")
  @Operation(hidden = true)
  public Response stats() {
    throw new UnsupportedException("the statistics of a store are not implemented yet");
  }
}
