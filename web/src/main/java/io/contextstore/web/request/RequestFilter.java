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
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
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
  private static final Logger LOG = System.getLogger(RequestFilter.class.getName());

  /**
   * A body over its limit but not over this many bytes is read to its end before it is refused:
   * some clients listen only when they have sent all.
   */
  private static final long DISCARDED = 8L << 20;

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
      if (declared <= DISCARDED) {
        discard(request.getEntityStream());
      }
      throw BodyStream.tooLarge(limit);
    }
    request.setEntityStream(new BodyStream(request.getEntityStream(), declared, limit));
  }

  private static void discard(InputStream body) {
    try {
      body.transferTo(OutputStream.nullOutputStream());
    } catch (IOException e) {
      LOG.log(Level.DEBUG, "a body that is too large broke off", e);
    }
  }

  private static long declaredLength(ContainerRequestContext request) {
    // Not getLength(): it is an int.
    @Nullable String length = request.getHeaderString(HttpHeaders.CONTENT_LENGTH);
    if (length == null) {
      return -1;
    }
    try {
      return Long.parseLong(length);
    } catch (NumberFormatException e) {
      throw new InvalidRequestException("the Content-Length is not a number", e);
    }
  }
}
