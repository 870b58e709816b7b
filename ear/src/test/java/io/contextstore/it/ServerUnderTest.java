package io.contextstore.it;

import java.net.URI;
import java.nio.file.Path;
import java.util.UUID;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * One server for all test classes that use it, started for the first one. A test gets its root as a
 * parameter of type {@link URI}, and names its stores so that no other test has them.
 */
public final class ServerUnderTest implements ParameterResolver {
  private static final ExtensionContext.Namespace NAMESPACE =
      ExtensionContext.Namespace.create(ServerUnderTest.class);

  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
    return parameter.getParameter().getType() == URI.class;
  }

  @Override
  public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
    return context
        .getRoot()
        .getStore(NAMESPACE)
        .getOrComputeIfAbsent("server", key -> new Shared(), Shared.class)
        .server
        .baseUri();
  }

  /** JUnit closes it when the last test is done. */
  private static final class Shared implements AutoCloseable {
    final RunnableJar server =
        RunnableJar.start(Path.of("target", "it-data", UUID.randomUUID().toString()));

    @Override
    public void close() {
      server.close();
    }
  }
}
