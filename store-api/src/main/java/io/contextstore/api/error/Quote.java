package io.contextstore.api.error;

/**
 * Text of a user inside a message to the user. It is cut, so that a hostile value of a megabyte
 * does not come back as an error of a megabyte.
 */
public final class Quote {
  /** How many characters of the user's text are shown. */
  public static final int MAX_CHARS = 40;

  private static final String CUT = "…";

  private Quote() {}

  /** The text itself when it is short, else its beginning and an ellipsis. */
  public static String cut(String text) {
    if (text.length() <= MAX_CHARS) {
      return text;
    }
    return text.substring(0, end(text.charAt(MAX_CHARS - 1))) + CUT;
  }

  /** Like {@link #cut(String)} for a stretch of an array, which is not copied as a whole. */
  public static String cut(char[] text, int start, int length) {
    if (length <= MAX_CHARS) {
      return new String(text, start, length);
    }
    return new String(text, start, end(text[start + MAX_CHARS - 1])) + CUT;
  }

  /** Never between the halves of a surrogate pair: half a character is not text. */
  private static int end(char last) {
    return Character.isHighSurrogate(last) ? MAX_CHARS - 1 : MAX_CHARS;
  }
}
