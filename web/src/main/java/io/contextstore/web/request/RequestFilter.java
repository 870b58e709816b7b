package io.contextstore.web.request;

import io.contextstore.api.error.InvalidRequestException;
import jakarta.ws.rs.NotSupportedException;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerRequestFilter;
import jakarta.ws.rs.container.ResourceInfo;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.ext.Provider;
import java.lang.reflect.Method;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Compares a request with the call that it was matched to: unknown and doubled query parameters,
 * media type and size of the body. Resources outside the contract take what comes.
 */
@Provider
public class RequestFilter implements ContainerRequestFilter {
  private static final String TRANSFER_ENCODING = "Transfer-Encoding";

  private final Map<Method, Optional<Call>> calls = new ConcurrentHashMap<>();

  private final ResourceInfo matched;

  /** Creates it with the framework's view of the current request. */
  public RequestFilter(@Context ResourceInfo matched) {
    this.matched = matched;
  }

  @Override
  public void filter(ContainerRequestContext request) {
    @Nullable Method method = matched.getResourceMethod();
    if (method == null) {
      return; // OPTIONS, answered by the framework
    }
    calls
        .computeIfAbsent(method, Call::of)
        .ifPresent(
            call -> {
              checkQuery(call, request.getUriInfo().getQueryParameters());
              if (call.body() != Call.Body.NONE) {
                checkMediaType(request);
                boundBody(request, call.body().limit());
              }
            });
  }

  private static void checkQuery(Call call, Map<String, List<String>> query) {
    query.forEach(
        (name, values) -> {
          if (call.single().contains(name)) {
            if (values.size() > 1) {
              throw new InvalidRequestException(
                  "the query parameter '" + name + "' is there " + values.size() + " times");
            }
          } else if (!call.repeatable().contains(name)) {
            throw new InvalidRequestException("unknown query parameter '" + name + "'");
          }
        });
  }

  private static void checkMediaType(ContainerRequestContext request) {
    // A wrong type was refused when the method was chosen; without a type any method would do.
    @Nullable MediaType type = request.getMediaType();
    if (type == null) {
      throw new NotSupportedException();
    }
    @Nullable String charset = type.getParameters().get(MediaType.CHARSET_PARAMETER);
    if (charset != null && !charset.equalsIgnoreCase(StandardCharsets.UTF_8.name())) {
      throw new NotSupportedException();
    }
    @Nullable String encoding = request.getHeaderString(HttpHeaders.CONTENT_ENCODING);
    if (encoding != null && !encoding.equalsIgnoreCase("identity")) {
      throw new NotSupportedException();
    }
  }

  private static void boundBody(ContainerRequestContext request, long limit) {
    long declared = declaredLength(request);
    if (declared > limit) {
      throw BodyStream.tooLarge(limit);
    }
    request.setEntityStream(new BodyStream(request.getEntityStream(), declared, limit));
  }

  private static long declaredLength(ContainerRequestContext request) {
    // Not getLength(): it is an int.
    @Nullable String length = request.getHeaderString(HttpHeaders.CONTENT_LENGTH);
    if (length == null) {
      return -1;
    }
    if (request.getHeaderString(TRANSFER_ENCODING) != null) {
      // A proxy may have believed the one and the server the other: two views of where it ends.
      throw new InvalidRequestException(
          "a request has a Content-Length or a Transfer-Encoding, not both");
    }
    try {
      return Long.parseLong(length);
    } catch (NumberFormatException e) {
      throw new InvalidRequestException("the Content-Length is not a number", e);
    }
  }
}
