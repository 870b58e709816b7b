package io.contextstore.web.error;

import io.contextstore.api.error.ErrorCode;
import io.contextstore.api.error.InternalException;
import io.contextstore.api.error.OverloadedException;
import io.contextstore.api.error.StoreException;
import jakarta.json.Json;
import jakarta.ws.rs.NotAllowedException;
import jakarta.ws.rs.WebApplicationException;
import jakarta.ws.rs.core.HttpHeaders;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.ThreadLocalRandom;

/**
 * What a failure is answered with. A fault of the server is logged with its stack trace under an id
 * that the message gives; its own text may name files or credentials and stays in the log.
 *
 * @param status the HTTP status
 * @param code the code of the error body
 * @param message for the user
 * @param headers what the answer needs besides, by name
 */
public record ErrorAnswer(int status, ErrorCode code, String message, Map<String, String> headers) {
  private static final Logger LOG = System.getLogger(ErrorAnswer.class.getName());
  private static final int SERVER_FAULT = 500;

  /** Copies the headers. */
  public ErrorAnswer {
    headers = Map.copyOf(headers);
  }

  /** The answer to {@code failure}; logs what the user is not told. */
  public static ErrorAnswer of(Throwable failure) {
    return switch (failure) {
      case InternalException fault -> incident(fault, fault.getMessage());
      case StoreException refusal -> refusal(refusal);
      case WebApplicationException rejection -> rejection(rejection);
      default -> incident(failure, "the server failed");
    };
  }

  /** The answer to a refusal of the framework or container, of which only the status is known. */
  public static ErrorAnswer ofStatus(int status, Map<String, String> headers) {
    ErrorCode code =
        switch (status) {
          case 404 -> ErrorCode.NOT_FOUND;
          case 405 -> ErrorCode.METHOD_NOT_ALLOWED;
          case 406 -> ErrorCode.NOT_ACCEPTABLE;
          case 408 -> ErrorCode.REQUEST_TIMEOUT;
          case 409 -> ErrorCode.CONFLICT;
          case 413 -> ErrorCode.TOO_LARGE;
          case 415 -> ErrorCode.UNSUPPORTED_MEDIA_TYPE;
          case 501 -> ErrorCode.NOT_IMPLEMENTED;
          case 503 -> ErrorCode.OVERLOADED;
          default -> status < SERVER_FAULT ? ErrorCode.INVALID_REQUEST : ErrorCode.INTERNAL;
        };
    String message =
        switch (status) {
          case 404 -> "there is no such route";
          case 405 -> "the route does not have this method";
          case 406 -> "the answer can only be application/json";
          case 408 -> "the request did not arrive in time";
          case 413 -> "the body is too large";
          case 414, 431 -> "the address or the headers are too long";
          case 415 -> "the body must be application/json in UTF-8";
          case 501 -> "the server does not know this method";
          case 503 -> "the server cannot take the request now";
          default -> status < SERVER_FAULT ? "the request is malformed" : "the server failed";
        };
    return new ErrorAnswer(status, code, message, headers);
  }

  /** The error body, as UTF-8 JSON. */
  public byte[] body() {
    return Json.createObjectBuilder()
        .add("error", Json.createObjectBuilder().add("code", code.name()).add("message", message))
        .build()
        .toString()
        .getBytes(StandardCharsets.UTF_8);
  }

  private static ErrorAnswer refusal(StoreException refusal) {
    if (refusal.getCause() != null) {
      // A lost outcome has a fault of the server behind it; any other cause is the client's doing.
      boolean fault = refusal instanceof OverloadedException lost && lost.outcomeUnknown();
      LOG.log(fault ? Level.WARNING : Level.DEBUG, refusal.getMessage(), refusal);
    }
    Map<String, String> headers =
        refusal instanceof OverloadedException overloaded
            ? Map.of(HttpHeaders.RETRY_AFTER, seconds(overloaded.retryAfter()))
            : Map.of();
    return new ErrorAnswer(refusal.code().status(), refusal.code(), refusal.getMessage(), headers);
  }

  private static ErrorAnswer rejection(WebApplicationException rejection) {
    int status = rejection.getResponse().getStatus();
    if (status == SERVER_FAULT) {
      return incident(rejection, "the server failed");
    }
    LOG.log(Level.DEBUG, "rejected by the framework", rejection);
    if (rejection instanceof NotAllowedException notAllowed) {
      String methods =
          String.join(", ", new TreeSet<>(notAllowed.getResponse().getAllowedMethods()));
      return ofStatus(status, Map.of(HttpHeaders.ALLOW, methods));
    }
    return ofStatus(status, Map.of());
  }

  private static ErrorAnswer incident(Throwable failure, String message) {
    String id = "%08x".formatted(ThreadLocalRandom.current().nextInt());
    LOG.log(Level.ERROR, "incident " + id, failure);
    return new ErrorAnswer(
        SERVER_FAULT,
        ErrorCode.INTERNAL,
        message + " (incident " + id + ", see the server's log)",
        Map.of());
  }

  private static String seconds(Duration wait) {
    return Long.toString(Math.max(1, wait.plusSeconds(1).minusNanos(1).toSeconds()));
  }
}
