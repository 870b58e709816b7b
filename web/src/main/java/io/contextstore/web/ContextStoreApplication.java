package io.contextstore.web;

import io.contextstore.web.error.ErrorMapper;
import io.contextstore.web.request.NewStoreReader;
import io.contextstore.web.request.RequestFilter;
import io.contextstore.web.request.RowsRequestReader;
import jakarta.ws.rs.ApplicationPath;
import jakarta.ws.rs.core.Application;
import java.util.Map;
import java.util.Set;

/** All that answers below {@code /api/v1}. Listed by hand, so that nothing joins by accident. */
@ApplicationPath("/api/v1")
public class ContextStoreApplication extends Application {
  @Override
  public Set<Class<?>> getClasses() {
    return Set.of(
        GenericStoresResource.class,
        ServerHealthResource.class,
        PlannedResource.class,
        PlannedRolloutResource.class,
        RequestFilter.class,
        NewStoreReader.class,
        RowsRequestReader.class,
        ErrorMapper.class);
  }

  @Override
  public Map<String, Object> getProperties() {
    // OPTIONS answers with Allow alone; a WADL document would be a second, worse description.
    return Map.of("jersey.config.server.wadl.disableWadl", true);
  }
}
