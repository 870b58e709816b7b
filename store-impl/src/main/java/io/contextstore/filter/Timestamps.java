package io.contextstore.filter;

import java.time.DateTimeException;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** RFC 3339 text as microseconds since 1970. */
final class Timestamps {
  private static final Pattern RFC_3339 =
      Pattern.compile(
          "(\\d{4})-(\\d{2})-(\\d{2})[Tt ](\\d{2}):(\\d{2}):(\\d{2})(?:\\.(\\d{1,18}))?"
              + "(?:[Zz]|([+-])(\\d{2}):(\\d{2}))");

  private Timestamps() {}

  /**
   * The microseconds, digits beyond them cut off; empty if the text is not a date and time with an
   * offset (leap seconds are not).
   */
  static OptionalLong micros(String text) {
    Matcher parts = RFC_3339.matcher(text);
    if (!parts.matches()) {
      return OptionalLong.empty();
    }
    long offset = 0;
    if (parts.group(8) != null) {
      int hours = number(parts, 9);
      int minutes = number(parts, 10);
      if (hours > 23 || minutes > 59) {
        return OptionalLong.empty();
      }
      offset = (parts.group(8).equals("-") ? -60L : 60L) * (hours * 60L + minutes);
    }
    try {
      long seconds =
          LocalDateTime.of(
                      number(parts, 1),
                      number(parts, 2),
                      number(parts, 3),
                      number(parts, 4),
                      number(parts, 5),
                      number(parts, 6))
                  .toEpochSecond(ZoneOffset.UTC)
              - offset;
      String fraction = parts.group(7) == null ? "" : parts.group(7);
      String six = (fraction + "000000").substring(0, 6);
      return OptionalLong.of(seconds * 1_000_000 + Integer.parseInt(six));
    } catch (DateTimeException e) {
      // Such as the 30th of February: the caller says so, with the place.
      return OptionalLong.empty();
    }
  }

  private static int number(Matcher parts, int group) {
    return Integer.parseInt(parts.group(group));
  }
}
