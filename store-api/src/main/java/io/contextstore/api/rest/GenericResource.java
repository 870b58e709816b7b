package io.contextstore.api.rest;

import io.contextstore.api.NewStore;
import io.contextstore.api.RowsRequest;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.DELETE;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.io.InputStream;
import java.util.List;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.enums.SchemaType;
import org.eclipse.microprofile.openapi.annotations.media.Content;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.parameters.Parameter;
import org.eclipse.microprofile.openapi.annotations.parameters.RequestBody;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;
import org.jspecify.annotations.Nullable;

/**
 * The calls on generic stores, whose schema their creator declares. Numbers in the query are text
 * here so that a wrong one is answered with its name and not with an unknown route.
 */
@Path("/generic")
@Produces(MediaType.APPLICATION_JSON)
@Tag(name = "Generic stores", description = "Stores whose schema their creator declares.")
public interface GenericResource {
  /** Creates a store; 201 with its description. */
  @POST
  @Consumes(MediaType.APPLICATION_JSON)
  @Operation(
      operationId = "createStore",
      summary = "Create a store",
      description = "The schema is fixed from then on. A name that is taken is refused.")
  @RequestBody(
      required = true,
      content =
          @Content(mediaType = MediaType.APPLICATION_JSON, schema = @Schema(ref = "NewStore")))
  @APIResponse(
      responseCode = "201",
      description = "Created",
      content = @Content(mediaType = MediaType.APPLICATION_JSON, schema = @Schema(ref = "Store")))
  @APIResponse(responseCode = "400", ref = "InvalidRequest")
  @APIResponse(responseCode = "406", ref = "NotAcceptable")
  @APIResponse(responseCode = "409", ref = "AlreadyExists")
  @APIResponse(responseCode = "413", ref = "TooLarge")
  @APIResponse(responseCode = "415", ref = "UnsupportedMediaType")
  @APIResponse(responseCode = "503", ref = "Overloaded")
  Response create(NewStore store);

  /** All stores, ordered by name. */
  @GET
  @Operation(operationId = "listStores", summary = "List the stores", description = "By name.")
  @APIResponse(
      responseCode = "200",
      description = "All stores",
      content = @Content(mediaType = MediaType.APPLICATION_JSON, schema = @Schema(ref = "Stores")))
  @APIResponse(responseCode = "400", ref = "InvalidRequest")
  @APIResponse(responseCode = "406", ref = "NotAcceptable")
  Response list();

  /** One store. */
  @GET
  @Path("/{name}")
  @Operation(
      operationId = "describeStore",
      summary = "Describe a store",
      description = "The version is that of the base table, which lags the newest rows.")
  @APIResponse(
      responseCode = "200",
      description = "The store",
      content = @Content(mediaType = MediaType.APPLICATION_JSON, schema = @Schema(ref = "Store")))
  @APIResponse(responseCode = "400", ref = "InvalidRequest")
  @APIResponse(responseCode = "406", ref = "NotAcceptable")
  @APIResponse(responseCode = "404", ref = "NotFound")
  Response describe(
      @Parameter(
              description = Texts.NAME,
              required = true,
              example = "tool-calls",
              schema = @Schema(ref = "StoreName"))
          @PathParam("name")
          String name);

  /** Removes a store and its rows; 204, and 404 the second time. */
  @DELETE
  @Path("/{name}")
  @Operation(
      operationId = "dropStore",
      summary = "Drop a store",
      description = "The store and its rows are gone when this answers.")
  @APIResponse(responseCode = "204", description = "Dropped")
  @APIResponse(responseCode = "400", ref = "InvalidRequest")
  @APIResponse(responseCode = "406", ref = "NotAcceptable")
  @APIResponse(responseCode = "404", ref = "NotFound")
  Response drop(
      @Parameter(
              description = Texts.NAME,
              required = true,
              example = "tool-calls",
              schema = @Schema(ref = "StoreName"))
          @PathParam("name")
          String name);

  /** Appends rows; 201 when they are durable and visible. The caller closes {@code rows}. */
  @POST
  @Path("/{name}/rows")
  @Consumes(MediaType.APPLICATION_JSON)
  @Operation(
      operationId = "appendRows",
      summary = "Append rows",
      description =
          "All rows of a request are written or none. When this answers 201 they are durable and"
              + " every later read sees them. A row whose id exists replaces it; of several rows"
              + " with one id the last wins. A missing or null value of a column that is not"
              + " nullable and an undeclared column are refused, naming row and column.")
  @RequestBody(
      required = true,
      description = "At most 1 GiB.",
      content = @Content(mediaType = MediaType.APPLICATION_JSON, schema = @Schema(ref = "NewRows")))
  @APIResponse(
      responseCode = "201",
      description = "Written",
      content =
          @Content(mediaType = MediaType.APPLICATION_JSON, schema = @Schema(ref = "Appended")))
  @APIResponse(responseCode = "400", ref = "InvalidRequest")
  @APIResponse(responseCode = "406", ref = "NotAcceptable")
  @APIResponse(responseCode = "404", ref = "NotFound")
  @APIResponse(responseCode = "408", ref = "RequestTimeout")
  @APIResponse(responseCode = "413", ref = "TooLarge")
  @APIResponse(responseCode = "415", ref = "UnsupportedMediaType")
  @APIResponse(responseCode = "501", ref = "NotImplemented")
  @APIResponse(responseCode = "503", ref = "Overloaded")
  Response append(
      @Parameter(
              description = Texts.NAME,
              required = true,
              example = "tool-calls",
              schema = @Schema(ref = "StoreName"))
          @PathParam("name")
          String name,
      @Parameter(
              description = "Refuse rows whose id exists. Not implemented yet.",
              schema = @Schema(type = SchemaType.BOOLEAN, defaultValue = "false"))
          @QueryParam("if_absent")
          @Nullable String ifAbsent,
      InputStream rows);

  /** The rows that match, as a stream. */
  @GET
  @Path("/{name}/rows")
  @Operation(
      operationId = "listRows",
      summary = "List rows",
      description =
          "Each key once, at one moment. With limit or offset the rows come in the order of their"
              + " ids, else in no promised order. Nulls are left out of the rows.")
  @APIResponse(
      responseCode = "200",
      description = "The rows",
      content = @Content(mediaType = MediaType.APPLICATION_JSON, schema = @Schema(ref = "Rows")))
  @APIResponse(responseCode = "400", ref = "InvalidRequest")
  @APIResponse(responseCode = "406", ref = "NotAcceptable")
  @APIResponse(responseCode = "404", ref = "NotFound")
  @APIResponse(responseCode = "501", ref = "NotImplemented")
  @APIResponse(responseCode = "503", ref = "Overloaded")
  Response rows(
      @Parameter(
              description = Texts.NAME,
              required = true,
              example = "tool-calls",
              schema = @Schema(ref = "StoreName"))
          @PathParam("name")
          String name,
      @Parameter(
              description = "At most so many rows; all when left out.",
              schema = @Schema(type = SchemaType.INTEGER, format = "int64", minimum = "0"))
          @QueryParam("limit")
          @Nullable String limit,
      @Parameter(
              description = "Rows to pass over first.",
              schema =
                  @Schema(
                      type = SchemaType.INTEGER,
                      format = "int64",
                      minimum = "0",
                      defaultValue = "0"))
          @QueryParam("offset")
          @Nullable String offset,
      @Parameter(
              description =
                  "A SQL predicate over the store's columns: at most 8 KiB, 64 operators, depth 32.",
              example = "reward >= 0.5 AND role = 'assistant'",
              schema = @Schema(type = SchemaType.STRING))
          @QueryParam("filter")
          @Nullable String filter,
      @Parameter(description = Texts.COLUMNS, example = "id,reward") @QueryParam("columns")
          @Nullable List<String> columns,
      @Parameter(
              description = "The order of the rows. Not implemented yet.",
              schema = @Schema(type = SchemaType.STRING))
          @QueryParam("order")
          @Nullable String order,
      @Parameter(
              description = "Rows behind this id. Not implemented yet.",
              schema = @Schema(type = SchemaType.STRING))
          @QueryParam("after")
          @Nullable String after);

  /** The row of that key, without an envelope. */
  @GET
  @Path("/{name}/rows/{id}")
  @Operation(
      operationId = "getRow",
      summary = "Get a row",
      description = "The row itself, without an envelope.")
  @APIResponse(
      responseCode = "200",
      description = "The row",
      content = @Content(mediaType = MediaType.APPLICATION_JSON, schema = @Schema(ref = "Row")))
  @APIResponse(responseCode = "400", ref = "InvalidRequest")
  @APIResponse(responseCode = "406", ref = "NotAcceptable")
  @APIResponse(responseCode = "404", ref = "NotFound")
  @APIResponse(responseCode = "503", ref = "Overloaded")
  Response row(
      @Parameter(
              description = Texts.NAME,
              required = true,
              example = "tool-calls",
              schema = @Schema(ref = "StoreName"))
          @PathParam("name")
          String name,
      @Parameter(
              description = Texts.ID,
              required = true,
              example = "call-1",
              schema = @Schema(ref = "RowId"))
          @PathParam("id")
          String id,
      @Parameter(description = Texts.COLUMNS, example = "id,reward") @QueryParam("columns")
          @Nullable List<String> columns);

  /** The rows of many keys. */
  @POST
  @Path("/{name}/get-rows")
  @Consumes(MediaType.APPLICATION_JSON)
  @Operation(
      operationId = "getRows",
      summary = "Get rows by their ids",
      description = "In first-requested order, each once; ids without a row are left out.")
  @RequestBody(
      required = true,
      content =
          @Content(mediaType = MediaType.APPLICATION_JSON, schema = @Schema(ref = "RowsRequest")))
  @APIResponse(
      responseCode = "200",
      description = "The rows",
      content = @Content(mediaType = MediaType.APPLICATION_JSON, schema = @Schema(ref = "Rows")))
  @APIResponse(responseCode = "400", ref = "InvalidRequest")
  @APIResponse(responseCode = "406", ref = "NotAcceptable")
  @APIResponse(responseCode = "404", ref = "NotFound")
  @APIResponse(responseCode = "413", ref = "TooLarge")
  @APIResponse(responseCode = "415", ref = "UnsupportedMediaType")
  @APIResponse(responseCode = "503", ref = "Overloaded")
  Response getRows(
      @Parameter(
              description = Texts.NAME,
              required = true,
              example = "tool-calls",
              schema = @Schema(ref = "StoreName"))
          @PathParam("name")
          String name,
      RowsRequest request);

  /** Seals what was written so far; 204. */
  @POST
  @Path("/{name}/flush")
  @Operation(
      operationId = "flush",
      summary = "Seal the newest rows",
      description =
          "Rows are durable and visible without it; it makes them a generation that can be merged.")
  @APIResponse(responseCode = "204", description = "Sealed, or nothing to seal")
  @APIResponse(responseCode = "400", ref = "InvalidRequest")
  @APIResponse(responseCode = "406", ref = "NotAcceptable")
  @APIResponse(responseCode = "404", ref = "NotFound")
  @APIResponse(responseCode = "503", ref = "Overloaded")
  Response flush(
      @Parameter(
              description = Texts.NAME,
              required = true,
              example = "tool-calls",
              schema = @Schema(ref = "StoreName"))
          @PathParam("name")
          String name);

  /** Merges all pending generations into the base table. */
  @POST
  @Path("/{name}/merge-wal")
  @Operation(
      operationId = "mergeWal",
      summary = "Bring the base table up to date",
      description =
          "Seals, then merges every pending generation, so that a reader of the Lance table alone"
              + " sees all rows.")
  @APIResponse(
      responseCode = "200",
      description = "Merged",
      content = @Content(mediaType = MediaType.APPLICATION_JSON, schema = @Schema(ref = "Merged")))
  @APIResponse(responseCode = "400", ref = "InvalidRequest")
  @APIResponse(responseCode = "406", ref = "NotAcceptable")
  @APIResponse(responseCode = "404", ref = "NotFound")
  @APIResponse(responseCode = "503", ref = "Overloaded")
  Response mergeWal(
      @Parameter(
              description = Texts.NAME,
              required = true,
              example = "tool-calls",
              schema = @Schema(ref = "StoreName"))
          @PathParam("name")
          String name);
}
