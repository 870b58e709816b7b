package io.contextstore.filter;

import io.contextstore.api.error.InvalidRequestException;

/** The user's text, for messages that name a place in it. Places are indexes of chars. */
record Source(String text) {
  private static final int QUOTED = 40;

  /** An error at a place, to be thrown. */
  InvalidRequestException error(int at, String message) {
    int line = 1;
    int start = 0;
    for (int i = text.indexOf('\n'); i >= 0 && i < at; i = text.indexOf('\n', i + 1)) {
      line++;
      start = i + 1;
    }
    int column = text.codePointCount(start, Math.min(at, text.length())) + 1;
    return new InvalidRequestException(
        "filter, line " + line + ", column " + column + ": " + message);
  }

  /** Some of the user's text in quotes, fit for one line of a message. */
  static String quote(String text) {
    StringBuilder quoted = new StringBuilder("'");
    text.codePoints()
        .limit(QUOTED)
        .forEach(c -> quoted.appendCodePoint(Character.isISOControl(c) ? '\uFFFD' : c));
    if (text.codePointCount(0, text.length()) > QUOTED) {
      quoted.append('…');
    }
    return quoted.append('\'').toString();
  }
}
