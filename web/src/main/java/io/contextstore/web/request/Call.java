package io.contextstore.web.request;

import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.QueryParam;
import java.io.InputStream;
import java.lang.reflect.Method;
import java.lang.reflect.Parameter;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * What a call of the contract takes, read from its method in {@code io.contextstore.api.rest}.
 *
 * @param single the query parameters that may be there once
 * @param repeatable the query parameters that may be there several times
 * @param body what its body is
 */
record Call(Set<String> single, Set<String> repeatable, Body body) {
  /** The body of a call. */
  enum Body {
    /** None is read. */
    NONE(0),
    /** A small JSON object. */
    OBJECT(2L << 20),
    /** Rows, as a stream. */
    ROWS(1L << 30);

    private final long limit;

    Body(long limit) {
      this.limit = limit;
    }

    /** The most bytes it may have. */
    long limit() {
      return limit;
    }
  }

  Call {
    single = Set.copyOf(single);
    repeatable = Set.copyOf(repeatable);
  }

  /** The call that {@code resourceMethod} implements; empty when it is in no interface. */
  static Optional<Call> of(Method resourceMethod) {
    return Arrays.stream(resourceMethod.getDeclaringClass().getInterfaces())
        .flatMap(contract -> Arrays.stream(contract.getMethods()))
        .filter(
            method ->
                method.getName().equals(resourceMethod.getName())
                    && Arrays.equals(
                        method.getParameterTypes(), resourceMethod.getParameterTypes()))
        .findFirst()
        .map(Call::ofContract);
  }

  private static Call ofContract(Method method) {
    Set<String> single = new HashSet<>();
    Set<String> repeatable = new HashSet<>();
    Body body = Body.NONE;
    for (Parameter parameter : method.getParameters()) {
      QueryParam query = parameter.getAnnotation(QueryParam.class);
      if (query != null) {
        (parameter.getType() == List.class ? repeatable : single).add(query.value());
      } else if (!parameter.isAnnotationPresent(PathParam.class)) {
        body = parameter.getType() == InputStream.class ? Body.ROWS : Body.OBJECT;
      }
    }
    return new Call(single, repeatable, body);
  }
}
