package io.contextstore.codec;

import java.time.LocalDate;

/**
 * RFC 3339 timestamps as microseconds since 1970-01-01T00:00:00 UTC.
 *
 * <p>Taken are {@code 2026-12-01T09:30:00Z} and its kin: years 0000 to 9999, {@code T} or {@code t}
 * or a blank between date and time (as the RFC allows), any number of digits of a second, {@code
 * Z}, {@code z} or an offset. An offset must be there: a local time names no instant. Digits beyond
 * the microsecond are dropped, because clients with nanosecond clocks send nine of them; that
 * rounds towards the past, also before 1970. A leap second (23:59:60 UTC) is the first instant of
 * the next day, as in POSIX time.
 */
public final class Rfc3339 {
  /** Not a timestamp; no timestamp of this notation has that value. */
  public static final long INVALID = Long.MIN_VALUE;

  private static final int SHORTEST = "2026-12-01T09:30:00Z".length();
  private static final int LONGEST = 64;
  private static final int SECONDS_A_DAY = 86_400;
  private static final long MICROS = 1_000_000L;
  private static final int BAD = -1;

  private Rfc3339() {}

  /** The microseconds, or {@link #INVALID}. */
  public static long micros(String text) {
    return micros(text.toCharArray(), 0, text.length());
  }

  /** The same for a stretch of an array. */
  public static long micros(char[] text, int start, int length) {
    if (length < SHORTEST || length > LONGEST) {
      return INVALID;
    }
    long day = epochDay(text, start);
    int second = secondOfDay(text, start + 11);
    char between = text[start + 10];
    if (day == INVALID || second == BAD || (between != 'T' && between != 't' && between != ' ')) {
      return INVALID;
    }
    int at = start + 19;
    int end = start + length;
    long micros = 0;
    if (text[at] == '.') {
      int digits = at + 1;
      at = digits;
      for (long unit = MICROS / 10; at < end && isDigit(text[at]); at++, unit /= 10) {
        micros += (text[at] - '0') * unit;
      }
      if (at == digits) {
        return INVALID;
      }
    }
    int offset = offsetSeconds(text, at, end);
    if (offset == INVALID_OFFSET) {
      return INVALID;
    }
    long seconds = day * SECONDS_A_DAY + second - offset;
    boolean leap = text[start + 17] == '6';
    if (leap && Math.floorMod(seconds, SECONDS_A_DAY) != 0) {
      return INVALID;
    }
    return seconds * MICROS + micros;
  }

  private static long epochDay(char[] text, int at) {
    int century = twoDigits(text, at);
    int year = twoDigits(text, at + 2);
    int month = twoDigits(text, at + 5);
    int day = twoDigits(text, at + 8);
    if (century == BAD || year == BAD || text[at + 4] != '-' || text[at + 7] != '-') {
      return INVALID;
    }
    int fullYear = century * 100 + year;
    if (month < 1 || month > 12 || day < 1 || day > lengthOfMonth(fullYear, month)) {
      return INVALID;
    }
    return LocalDate.of(fullYear, month, day).toEpochDay();
  }

  private static int lengthOfMonth(int year, int month) {
    return switch (month) {
      case 2 -> java.time.Year.isLeap(year) ? 29 : 28;
      case 4, 6, 9, 11 -> 30;
      default -> 31;
    };
  }

  private static int secondOfDay(char[] text, int at) {
    int hour = twoDigits(text, at);
    int minute = twoDigits(text, at + 3);
    int second = twoDigits(text, at + 6);
    boolean valid =
        text[at + 2] == ':'
            && text[at + 5] == ':'
            && hour >= 0
            && hour < 24
            && minute >= 0
            && minute < 60
            && second >= 0
            && second <= 60;
    return valid ? (hour * 60 + minute) * 60 + second : BAD;
  }

  private static final int INVALID_OFFSET = Integer.MIN_VALUE;

  private static int offsetSeconds(char[] text, int at, int end) {
    if (at + 1 == end && (text[at] == 'Z' || text[at] == 'z')) {
      return 0;
    }
    if (at + 6 != end || text[at + 3] != ':' || (text[at] != '+' && text[at] != '-')) {
      return INVALID_OFFSET;
    }
    int hours = twoDigits(text, at + 1);
    int minutes = twoDigits(text, at + 4);
    if (hours < 0 || hours > 23 || minutes < 0 || minutes > 59) {
      return INVALID_OFFSET;
    }
    int seconds = (hours * 60 + minutes) * 60;
    return text[at] == '-' ? -seconds : seconds;
  }

  private static int twoDigits(char[] text, int at) {
    if (!isDigit(text[at]) || !isDigit(text[at + 1])) {
      return BAD;
    }
    return (text[at] - '0') * 10 + text[at + 1] - '0';
  }

  private static boolean isDigit(char c) {
    return c >= '0' && c <= '9';
  }
}
