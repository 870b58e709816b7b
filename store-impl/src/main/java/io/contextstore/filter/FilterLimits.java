package io.contextstore.filter;

/**
 * How large a filter may be. The upper ends of the ranges are what the parsers on both sides were
 * measured to bear; the constructor refuses anything beyond.
 *
 * @param maxBytes the longest text, in bytes of UTF-8: 1 to 65536
 * @param maxOperators the most operators, function calls and casts together: 1 to 256. {@code
 *     BETWEEN … AND} counts as two, the items of a list do not count
 * @param maxDepth how deep parentheses, brackets and calls may nest: 1 to 40
 * @param maxListItems the most items of one list in parentheses or brackets: 1 to 4096
 */
public record FilterLimits(int maxBytes, int maxOperators, int maxDepth, int maxListItems) {
  /** 8 KiB, 64 operators, depth 32, lists of 1024 items. */
  public static final FilterLimits DEFAULT = new FilterLimits(8 * 1024, 64, 32, 1024);

  /** Checks the ranges; the message of the exception names the limit and what is allowed. */
  public FilterLimits {
    check("max-bytes", maxBytes, 65536);
    check("max-operators", maxOperators, 256);
    check("max-depth", maxDepth, 40);
    check("max-list-items", maxListItems, 4096);
  }

  private static void check(String name, int value, int most) {
    if (value < 1 || value > most) {
      throw new IllegalArgumentException(
          "a filter's " + name + " must be from 1 to " + most + ", got " + value);
    }
  }
}
