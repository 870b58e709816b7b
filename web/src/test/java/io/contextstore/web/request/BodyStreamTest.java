package io.contextstore.web.request;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.contextstore.api.error.InvalidRequestException;
import io.contextstore.api.error.RequestTimeoutException;
import io.contextstore.api.error.TooLargeException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;

final class BodyStreamTest {
  private static InputStream bytes(int count) {
    return new ByteArrayInputStream(new byte[count]);
  }

  private static InputStream failing(IOException failure) {
    return new InputStream() {
      @Override
      public int read() throws IOException {
        throw failure;
      }

      @Override
      public int read(byte[] into, int offset, int length) throws IOException {
        throw failure;
      }
    };
  }

  @Test
  void passesAWholeBody() throws IOException {
    byte[] body = {1, -1, 3};
    try (InputStream stream = new BodyStream(new ByteArrayInputStream(body), 3, 3)) {
      assertThat(stream.read()).isEqualTo(1);
      assertThat(stream.read()).isEqualTo(255);
      assertThat(stream.readAllBytes()).containsExactly(3);
      assertThat(stream.read()).isEqualTo(-1);
    }
  }

  @Test
  void passesABodyOfUnknownLength() throws IOException {
    try (InputStream stream = new BodyStream(bytes(10), -1, 10)) {
      assertThat(stream.readAllBytes()).hasSize(10);
    }
  }

  @Test
  void refusesTheFirstByteOverTheLimit() throws IOException {
    try (InputStream stream = new BodyStream(bytes(11), -1, 10)) {
      assertThatThrownBy(stream::readAllBytes)
          .isInstanceOf(TooLargeException.class)
          .hasMessageContaining("10 bytes");
    }
  }

  @Test
  void refusesABodyThatEndsBeforeItsLength() throws IOException {
    try (InputStream stream = new BodyStream(bytes(9), 10, 100)) {
      assertThat(stream.read(new byte[20])).isEqualTo(9);
      assertThatThrownBy(stream::read)
          .isInstanceOf(InvalidRequestException.class)
          .hasMessageContaining("9 of 10 bytes");
    }
  }

  @Test
  void refusesABodyThatBreaksOff() throws IOException {
    IOException failure = new IOException("reset");
    try (InputStream stream = new BodyStream(failing(failure), -1, 10)) {
      assertThatThrownBy(stream::readAllBytes)
          .isInstanceOf(InvalidRequestException.class)
          .hasCause(failure);
    }
  }

  @Test
  void tellsAStalledBodyFromABrokenOne() throws IOException {
    IOException failure = new IOException(new TimeoutException());
    try (InputStream stream = new BodyStream(failing(failure), -1, 10)) {
      assertThatThrownBy(stream::readAllBytes).isInstanceOf(RequestTimeoutException.class);
    }
  }
}
