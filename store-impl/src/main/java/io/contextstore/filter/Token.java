package io.contextstore.filter;

/**
 * A piece of the user's text.
 *
 * @param kind what it is
 * @param text a keyword or symbol as the grammar spells it; a name or text without its quotes; a
 *     number or hexadecimal digits as they stand
 * @param at where it begins
 */
record Token(Kind kind, String text, int at) {
  enum Kind {
    /** A reserved word that is an operator, upper case. */
    OPERATOR_WORD,
    /** Any other reserved word, upper case. */
    WORD,
    /** A symbol that is an operator. */
    OPERATOR,
    /** Parenthesis, bracket, comma. */
    PUNCTUATION,
    /** A bare name. */
    NAME,
    /** A name in double quotes or backticks. */
    QUOTED_NAME,
    TEXT,
    INTEGER,
    DECIMAL,
    BINARY,
    TIMESTAMP,
    TRUE,
    FALSE,
    NULL;

    /** Whether the grammar sees only a placeholder for it. */
    boolean atom() {
      return compareTo(NAME) >= 0;
    }

    boolean operator() {
      return this == OPERATOR_WORD || this == OPERATOR;
    }
  }

  boolean is(String symbol) {
    return !kind.atom() && text.equals(symbol);
  }
}
