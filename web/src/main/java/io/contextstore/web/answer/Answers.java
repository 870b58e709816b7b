package io.contextstore.web.answer;

import io.contextstore.api.RowStream;
import jakarta.json.JsonObject;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.Response.StatusType;
import jakarta.ws.rs.core.StreamingOutput;
import java.nio.charset.StandardCharsets;

/** Builds answers with a JSON body. */
public final class Answers {
  private Answers() {}

  /** A small object, whole in memory, with its length. */
  public static Response json(StatusType status, JsonObject body) {
    return Response.status(status)
        .type(MediaType.APPLICATION_JSON_TYPE)
        .entity(body.toString().getBytes(StandardCharsets.UTF_8))
        .build();
  }

  /** Rows, written batch by batch. Somebody else closes {@code rows} if writing never begins. */
  public static Response stream(RowStream rows) {
    StreamingOutput body = new RowsBody(rows);
    return Response.ok(body, MediaType.APPLICATION_JSON_TYPE).build();
  }
}
