package io.contextstore.web;

import io.contextstore.api.GenericStores;
import io.contextstore.api.ListQuery;
import io.contextstore.api.NewStore;
import io.contextstore.api.RowKey;
import io.contextstore.api.RowStream;
import io.contextstore.api.RowsRequest;
import io.contextstore.api.StoreName;
import io.contextstore.api.error.UnsupportedException;
import io.contextstore.api.rest.GenericResource;
import io.contextstore.web.answer.Answers;
import io.contextstore.web.answer.OpenRows;
import io.contextstore.web.answer.StoreJson;
import io.contextstore.web.request.QueryValues;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.Response.Status;
import java.io.InputStream;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The calls on generic stores. */
@ApplicationScoped
public class GenericStoresResource implements GenericResource {
  @Inject GenericStores stores;
  @Inject OpenRows openRows;

  @Override
  public Response create(NewStore store) {
    return Answers.json(Status.CREATED, StoreJson.description(stores.create(store)));
  }

  @Override
  public Response list() {
    return Answers.json(Status.OK, StoreJson.summaries(stores.list()));
  }

  @Override
  public Response describe(String name) {
    return Answers.json(Status.OK, StoreJson.description(stores.describe(new StoreName(name))));
  }

  @Override
  public Response drop(String name) {
    stores.drop(new StoreName(name));
    return Response.noContent().build();
  }

  @Override
  public Response append(String name, @Nullable String ifAbsent, InputStream rows) {
    if (QueryValues.flag("if_absent", ifAbsent)) {
      throw new UnsupportedException("'if_absent' is not implemented yet; nothing was written");
    }
    return Answers.json(
        Status.CREATED, StoreJson.appended(stores.append(new StoreName(name), rows)));
  }

  @Override
  public Response rows(
      String name,
      @Nullable String limit,
      @Nullable String offset,
      @Nullable String filter,
      @Nullable List<String> columns,
      @Nullable String order,
      @Nullable String after) {
    QueryValues.refusePlanned("order", order);
    QueryValues.refusePlanned("after", after);
    ListQuery query =
        new ListQuery(
            QueryValues.columns(columns),
            QueryValues.text("filter", filter),
            QueryValues.count("limit", limit),
            QueryValues.count("offset", offset));
    return stream(stores.rows(new StoreName(name), query));
  }

  @Override
  public Response row(String name, String id, @Nullable List<String> columns) {
    return stream(stores.get(new StoreName(name), RowKey.of(id), QueryValues.columns(columns)));
  }

  @Override
  public Response getRows(String name, RowsRequest request) {
    return stream(stores.getMany(new StoreName(name), request.keys(), request.columns()));
  }

  @Override
  public Response flush(String name) {
    stores.flush(new StoreName(name));
    return Response.noContent().build();
  }

  @Override
  public Response mergeWal(String name) {
    return Answers.json(Status.OK, StoreJson.merged(stores.mergeWal(new StoreName(name))));
  }

  private Response stream(RowStream rows) {
    return Answers.stream(openRows.keep(rows));
  }
}
