package io.contextstore.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import org.jboss.arquillian.container.test.api.Deployment;
import org.jboss.arquillian.junit5.ArquillianExtension;
import org.jboss.shrinkwrap.api.ShrinkWrap;
import org.jboss.shrinkwrap.api.spec.WebArchive;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The WAR as it was built, on a plain Payara Micro. Each class of this kind starts a server. */
@ExtendWith(ArquillianExtension.class)
class WarOnPayaraMicroIT {
  /** 127.0.0.1: Arquillian would inject an address of the machine that nothing listens on. */
  private static final URI BASE =
      URI.create("http://127.0.0.1:" + System.getProperty("contextstore.it.port"));

  @Deployment(testable = false)
  static WebArchive war() {
    return ShrinkWrap.createFromZipFile(
        WebArchive.class, new File(System.getProperty("contextstore.it.war")));
  }

  @Test
  void isAlive() throws Exception {
    try (HttpClient client = HttpClient.newHttpClient()) {
      HttpResponse<String> response =
          client.send(
              HttpRequest.newBuilder(BASE.resolve("/health/live")).build(),
              HttpResponse.BodyHandlers.ofString());
      assertThat(response.statusCode()).isEqualTo(200);
      assertThat(response.body()).contains("\"UP\"");
    }
  }
}
