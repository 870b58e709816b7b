package io.contextstore.codec;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonFactoryBuilder;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.core.StreamWriteFeature;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import com.fasterxml.jackson.core.io.JsonEOFException;
import io.contextstore.api.error.InvalidRequestException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;

/** The one JSON set-up: bounded in, no surprises out, streams left to those who opened them. */
final class JsonText {
  /** The longest number, in characters; no value of a column needs a tenth of it. */
  static final int MAX_NUMBER_CHARS = 100;

  /** The longest text value. The parser holds a text in memory while it decodes it. */
  static final int MAX_TEXT_CHARS = 1 << 28;

  /** More than the name of a column has: an unknown name is refused before it gets long. */
  static final int MAX_NAME_CHARS = 4096;

  /** Request, rows, row, list: four levels. */
  private static final int MAX_DEPTH = 8;

  private static final JsonFactory JSON =
      ((JsonFactoryBuilder) JsonFactory.builder())
          .streamReadConstraints(
              StreamReadConstraints.builder()
                  .maxNumberLength(MAX_NUMBER_CHARS)
                  .maxStringLength(MAX_TEXT_CHARS)
                  .maxNameLength(MAX_NAME_CHARS)
                  .maxNestingDepth(MAX_DEPTH)
                  .build())
          // A body is UTF-8, as RFC 8259 has it, and not what its first bytes look like.
          .disable(JsonFactory.Feature.CHARSET_DETECTION)
          .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
          .disable(StreamReadFeature.AUTO_CLOSE_SOURCE)
          .enable(StreamReadFeature.USE_FAST_DOUBLE_PARSER)
          .disable(StreamReadFeature.INCLUDE_SOURCE_IN_LOCATION)
          .disable(StreamWriteFeature.AUTO_CLOSE_TARGET)
          // Text that was cut short by a failure must not look complete.
          .disable(StreamWriteFeature.AUTO_CLOSE_CONTENT)
          .disable(StreamWriteFeature.FLUSH_PASSED_TO_STREAM)
          .build();

  private JsonText() {}

  /** A parser of one request body. Closing it leaves {@code body} open. */
  static JsonParser parser(InputStream body) throws IOException {
    return JSON.createParser(body);
  }

  /** A writer of UTF-8. Closing it leaves {@code out} open and unflushed. */
  static JsonGenerator generator(OutputStream out) throws IOException {
    return JSON.createGenerator(out);
  }

  /** What the parser found wrong, without the parser's own words. */
  static InvalidRequestException refused(JsonProcessingException e) {
    String problem =
        switch (e) {
          case StreamConstraintsException _limit ->
              "a number, name or text of the body is too long (at most "
                  + MAX_NUMBER_CHARS
                  + ", "
                  + MAX_NAME_CHARS
                  + " and "
                  + MAX_TEXT_CHARS
                  + " characters)";
          case JsonEOFException _end -> "the body ends in the middle of its JSON text";
          default -> "the body is not valid JSON";
        };
    JsonLocation at = e.getLocation();
    String place = at == null ? "" : ", at line " + at.getLineNr() + ", column " + at.getColumnNr();
    return new InvalidRequestException(problem + place, e);
  }
}
