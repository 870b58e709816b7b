package io.contextstore.filter;

import java.nio.charset.StandardCharsets;
import java.util.HexFormat;

/**
 * How single values are spelled in Lance's SQL. Text is written as the hexadecimal digits of its
 * UTF-8: Lance takes Java strings in modified UTF-8, in which an emoji is not valid, and it uses
 * its index for this spelling as well.
 */
final class SqlText {
  private static final HexFormat HEX = HexFormat.of();

  private SqlText() {}

  static String text(String value) {
    return text(value.getBytes(StandardCharsets.UTF_8));
  }

  static String text(byte[] utf8) {
    return "CAST(X'" + HEX.formatHex(utf8) + "' AS STRING)";
  }

  /**
   * A column. Lance takes double quotes for a string; only backticks make a column of any name, and
   * they have no way to hold a backtick: no schema has such a name.
   */
  static String column(String name) {
    if (name.indexOf('`') >= 0) {
      throw new IllegalArgumentException("a column's name must not hold a backtick: " + name);
    }
    return '`' + name + '`';
  }

  /** The smallest long has no literal: Lance reads its digits first, as a floating-point number. */
  static String integer(long value) {
    return value == Long.MIN_VALUE ? "CAST('" + value + "' AS BIGINT)" : Long.toString(value);
  }
}
