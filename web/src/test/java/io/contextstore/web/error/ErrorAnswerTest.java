package io.contextstore.web.error;

import static org.assertj.core.api.Assertions.assertThat;

import io.contextstore.api.error.AlreadyExistsException;
import io.contextstore.api.error.ConflictException;
import io.contextstore.api.error.ErrorCode;
import io.contextstore.api.error.InternalException;
import io.contextstore.api.error.InvalidRequestException;
import io.contextstore.api.error.NotFoundException;
import io.contextstore.api.error.OverloadedException;
import io.contextstore.api.error.RequestTimeoutException;
import io.contextstore.api.error.StoreException;
import io.contextstore.api.error.TooLargeException;
import io.contextstore.api.error.UnsupportedException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class ErrorAnswerTest {
  private static final Logger LOGGER = Logger.getLogger(ErrorAnswer.class.getName());

  private final List<LogRecord> log = new ArrayList<>();
  private final Handler handler =
      new Handler() {
        @Override
        public void publish(LogRecord record) {
          log.add(record);
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
      };

  @BeforeEach
  void listen() {
    LOGGER.addHandler(handler);
    LOGGER.setUseParentHandlers(false);
  }

  @AfterEach
  void stopListening() {
    LOGGER.removeHandler(handler);
    LOGGER.setUseParentHandlers(true);
  }

  @Test
  void refusalsKeepTheirCodeAndMessage() {
    Map<StoreException, Integer> refusals =
        Map.of(
            new InvalidRequestException("m"), 400,
            new NotFoundException("m"), 404,
            new RequestTimeoutException("m"), 408,
            new AlreadyExistsException("m"), 409,
            new ConflictException("m"), 409,
            new TooLargeException("m"), 413,
            new UnsupportedException("m"), 501);
    refusals.forEach(
        (refusal, status) ->
            assertThat(ErrorAnswer.of(refusal))
                .isEqualTo(new ErrorAnswer(status, refusal.code(), "m", Map.of())));
    assertThat(log).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({"0,1", "1,1", "1000,1", "1001,2", "1999,2", "30000,30"})
  void overloadSaysWhenToRetryInWholeSeconds(long millis, String seconds) {
    ErrorAnswer answer =
        ErrorAnswer.of(OverloadedException.nothingWritten("full", Duration.ofMillis(millis)));
    assertThat(answer.status()).isEqualTo(503);
    assertThat(answer.headers()).isEqualTo(Map.of("Retry-After", seconds));
    assertThat(answer.message()).contains("nothing was written");
  }

  @Test
  void anUnknownOutcomeIsLoggedWithItsCause() {
    OverloadedException lost =
        OverloadedException.outcomeUnknown(
            "the sync failed", Duration.ZERO, new IllegalStateException("/secret/log"));
    ErrorAnswer answer = ErrorAnswer.of(lost);
    assertThat(answer.message()).contains("OUTCOME_UNKNOWN").doesNotContain("/secret");
    assertThat(log).singleElement().satisfies(line -> assertThat(line.getThrown()).isSameAs(lost));
  }

  @Test
  void faultsAreLoggedUnderTheIdInTheMessage() {
    IllegalStateException unexpected = new IllegalStateException("/secret/file, key=hunter2");
    InternalException fault = new InternalException("the log failed", unexpected);
    for (Throwable failure : List.of(unexpected, fault, new StackOverflowError())) {
      log.clear();
      ErrorAnswer answer = ErrorAnswer.of(failure);
      assertThat(answer.status()).isEqualTo(500);
      assertThat(answer.code()).isEqualTo(ErrorCode.INTERNAL);
      assertThat(answer.message()).doesNotContain("secret").doesNotContain("hunter2");
      String id = answer.message().replaceFirst(".*incident ([0-9a-f]{8}),.*", "$1");
      assertThat(id).hasSize(8);
      assertThat(log)
          .singleElement()
          .satisfies(
              line -> {
                assertThat(line.getLevel()).isEqualTo(Level.SEVERE);
                assertThat(line.getMessage()).contains(id);
                assertThat(line.getThrown()).isSameAs(failure);
              });
    }
    assertThat(ErrorAnswer.of(fault).message()).startsWith("the log failed (incident ");
  }

  @ParameterizedTest
  @CsvSource({
    "400,INVALID_REQUEST",
    "404,NOT_FOUND",
    "405,METHOD_NOT_ALLOWED",
    "406,NOT_ACCEPTABLE",
    "413,TOO_LARGE",
    "414,INVALID_REQUEST",
    "415,UNSUPPORTED_MEDIA_TYPE",
    "418,INVALID_REQUEST",
    "500,INTERNAL",
    "501,NOT_IMPLEMENTED",
    "502,INTERNAL",
    "503,OVERLOADED"
  })
  void everyStatusHasACode(int status, ErrorCode code) {
    ErrorAnswer answer = ErrorAnswer.ofStatus(status, Map.of("Allow", "GET"));
    assertThat(answer.status()).isEqualTo(status);
    assertThat(answer.code()).isEqualTo(code);
    assertThat(answer.message()).isNotBlank();
    assertThat(answer.headers()).isEqualTo(Map.of("Allow", "GET"));
  }

  @Test
  void theBodyIsJsonWhateverTheMessageHolds() {
    ErrorAnswer answer = ErrorAnswer.of(new InvalidRequestException("a \"quoted\"\n雪😀 \u0000"));
    assertThat(new String(answer.body(), StandardCharsets.UTF_8))
        .isEqualTo(
            "{\"error\":{\"code\":\"INVALID_REQUEST\","
                + "\"message\":\"a \\\"quoted\\\"\\n雪😀 \\u0000\"}}");
  }
}
