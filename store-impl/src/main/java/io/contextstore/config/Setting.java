package io.contextstore.config;

import io.contextstore.api.error.StartupException;
import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.eclipse.microprofile.config.Config;
import org.jspecify.annotations.Nullable;

/**
 * One setting: its name, the environment variable that the reference server uses for it, and how
 * its text becomes a value.
 *
 * @param name the name in MicroProfile Config
 * @param alias another name that is accepted, used when {@code name} is not set
 * @param allowed what is allowed, for the error message
 * @param parse gives the value or throws {@link IllegalArgumentException}
 */
record Setting<T>(String name, @Nullable String alias, String allowed, Function<String, T> parse) {
  private static final Pattern DURATION = Pattern.compile("(\\d+)\\s*(ms|s|m|h)?");
  private static final Pattern SIZE = Pattern.compile("(\\d+)\\s*(B|KIB|MIB|GIB|K|M|G)?");

  /** A span of time that is at least zero. */
  static Setting<Duration> duration(String name, @Nullable String alias) {
    return new Setting<>(
        name, alias, "a duration such as 30s, 5m, PT30S or plain seconds", Setting::parseDuration);
  }

  /** A number of bytes above zero. */
  static Setting<Long> bytes(String name, @Nullable String alias) {
    return new Setting<>(
        name, alias, "a size above zero such as 1073741824, 512MiB or 1GiB", Setting::parseBytes);
  }

  /** A whole number of at least {@code min}. */
  static Setting<Integer> integer(String name, @Nullable String alias, int min) {
    return new Setting<>(
        name,
        alias,
        "a whole number of at least " + min,
        text -> {
          int value = Integer.parseInt(text);
          if (value < min) {
            throw new IllegalArgumentException();
          }
          return value;
        });
  }

  /** Any text that is not blank. */
  static Setting<String> text(String name, @Nullable String alias) {
    return new Setting<>(
        name,
        alias,
        "text that is not blank",
        text -> {
          if (text.isBlank()) {
            throw new IllegalArgumentException();
          }
          return text;
        });
  }

  /** The value in {@code config}, or {@code standard} when it is not set. */
  T read(Config config, T standard) {
    Optional<String> raw = config.getOptionalValue(name, String.class);
    String usedName = name;
    if (raw.isEmpty() && alias != null) {
      raw = config.getOptionalValue(alias, String.class);
      usedName = alias;
    }
    if (raw.isEmpty()) {
      return standard;
    }
    String value = raw.get().strip();
    try {
      return parse.apply(value);
    } catch (IllegalArgumentException | ArithmeticException | DateTimeParseException e) {
      throw new StartupException(
          "The setting " + usedName + " has the value '" + value + "', allowed is " + allowed + ".",
          e);
    }
  }

  private static Duration parseDuration(String text) {
    Matcher plain = DURATION.matcher(text.toLowerCase(Locale.ROOT));
    if (!plain.matches()) {
      Duration iso = Duration.parse(text);
      if (iso.isNegative()) {
        throw new IllegalArgumentException();
      }
      return iso;
    }
    long number = Long.parseLong(plain.group(1));
    String unit = plain.group(2) == null ? "s" : plain.group(2);
    return switch (unit) {
      case "ms" -> Duration.ofMillis(number);
      case "m" -> Duration.ofMinutes(number);
      case "h" -> Duration.ofHours(number);
      default -> Duration.ofSeconds(number);
    };
  }

  private static long parseBytes(String text) {
    Matcher matcher = SIZE.matcher(text.toUpperCase(Locale.ROOT));
    if (!matcher.matches()) {
      throw new IllegalArgumentException();
    }
    String unit = matcher.group(2) == null ? "B" : matcher.group(2);
    long factor =
        switch (unit.charAt(0)) {
          case 'K' -> 1L << 10;
          case 'M' -> 1L << 20;
          case 'G' -> 1L << 30;
          default -> 1L;
        };
    long bytes = Math.multiplyExact(Long.parseLong(matcher.group(1)), factor);
    if (bytes == 0) {
      throw new IllegalArgumentException();
    }
    return bytes;
  }
}
