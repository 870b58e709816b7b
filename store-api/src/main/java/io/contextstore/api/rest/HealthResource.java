package io.contextstore.api.rest;

import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.media.Content;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;

/** Answers that the server is up; whether it is ready is told by MicroProfile Health. */
@Path("/health")
@Produces(MediaType.APPLICATION_JSON)
@Tag(name = "Health", description = "Whether requests arrive.")
public interface HealthResource {
  /** Always {@code {"status":"ok"}}. */
  @GET
  @Operation(
      operationId = "health",
      summary = "Whether the server answers",
      description = "Says that requests arrive. Use /health/ready to learn whether they are taken.")
  @APIResponse(
      responseCode = "200",
      description = "It does",
      content = @Content(mediaType = MediaType.APPLICATION_JSON, schema = @Schema(ref = "Health")))
  Response health();
}
