package io.contextstore.config;

import io.contextstore.api.error.StartupException;
import java.net.URI;
import java.nio.file.FileSystemNotFoundException;
import java.nio.file.Path;
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
  private static final Pattern PERCENT = Pattern.compile("(\\d{1,3})\\s*%?");
  private static final Pattern URI_SCHEME = Pattern.compile("[A-Za-z][A-Za-z0-9+.-]*://");

  /** Bounds that leave room to compute with, in nanoseconds and in sums of sizes. */
  private static final Duration LONGEST = Duration.ofDays(365);

  private static final Pattern CONTROL = Pattern.compile("[\\p{Cntrl}\\x{2028}\\x{2029}]+");
  private static final int SHOWN = 200;
  private static final long MOST_BYTES = 1L << 50;
  private static final Pattern SIZE = Pattern.compile("(\\d+)\\s*(B|KIB|MIB|GIB|K|M|G)?");

  /** How often something happens; zero is never. */
  static Setting<Duration> interval(String name, @Nullable String alias) {
    return new Setting<>(
        name,
        alias,
        "a duration such as 30s, 5m, PT30S or plain seconds, of at most 365 days; 0 is never",
        text -> parseDuration(text, Duration.ZERO));
  }

  /** How long something may take: at least a millisecond, the finest that is waited for. */
  static Setting<Duration> deadline(String name, @Nullable String alias) {
    return new Setting<>(
        name,
        alias,
        "a duration such as 30s, 5m, PT30S or plain seconds, above 0 and of at most 365 days",
        text -> parseDuration(text, Duration.ofMillis(1)));
  }

  /** A number of bytes above zero. */
  static Setting<Long> bytes(String name, @Nullable String alias) {
    return new Setting<>(
        name,
        alias,
        "a size above zero such as 1073741824, 512MiB or 1GiB, of at most 1048576GiB",
        Setting::parseBytes);
  }

  /** A folder of this machine, as a path or a {@code file:} URI. */
  static Setting<Path> folder(String name, @Nullable String alias) {
    return new Setting<>(
        name,
        alias,
        "a folder of this machine, as a path or a file: URI",
        text -> {
          if (text.isBlank()) {
            throw new IllegalArgumentException();
          }
          if (text.startsWith("file:")) {
            return Path.of(URI.create(text));
          }
          // A path may hold a colon, but one that looks like s3://bucket is surely no folder.
          if (URI_SCHEME.matcher(text).lookingAt()) {
            throw new IllegalArgumentException();
          }
          return Path.of(text);
        });
  }

  /** A whole number of at least {@code min}. */
  static Setting<Integer> integer(String name, @Nullable String alias, int min) {
    return integer(name, alias, "a whole number of at least " + min, min, Integer.MAX_VALUE);
  }

  /** A whole number from {@code min} to {@code max}. */
  static Setting<Integer> integer(String name, @Nullable String alias, int min, int max) {
    return integer(name, alias, "a whole number from " + min + " to " + max, min, max);
  }

  private static Setting<Integer> integer(
      String name, @Nullable String alias, String allowed, int min, int max) {
    return new Setting<>(
        name,
        alias,
        allowed,
        text -> {
          int value = Integer.parseInt(text);
          if (value < min || value > max) {
            throw new IllegalArgumentException();
          }
          return value;
        });
  }

  /** A share in whole percent, with or without the sign. */
  static Setting<Integer> percent(String name, @Nullable String alias) {
    return new Setting<>(
        name,
        alias,
        "a whole percentage from 0% to 100%",
        text -> {
          Matcher matcher = PERCENT.matcher(text);
          int value = matcher.matches() ? Integer.parseInt(matcher.group(1)) : -1;
          if (value < 0 || value > 100) {
            throw new IllegalArgumentException();
          }
          return value;
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
    } catch (IllegalArgumentException
        | ArithmeticException
        | DateTimeParseException
        | FileSystemNotFoundException e) {
      throw new StartupException(
          "The setting "
              + usedName
              + " has the value '"
              + oneLine(value)
              + "', allowed is "
              + allowed
              + ".",
          e);
    }
  }

  private static String oneLine(String value) {
    String line = CONTROL.matcher(value).replaceAll(" ");
    return line.length() <= SHOWN ? line : line.substring(0, SHOWN) + "…";
  }

  private static Duration parseDuration(String text, Duration least) {
    Duration duration = parseDuration(text);
    boolean tooFine = duration.isPositive() && duration.compareTo(Duration.ofMillis(1)) < 0;
    if (tooFine || duration.compareTo(least) < 0 || duration.compareTo(LONGEST) > 0) {
      throw new IllegalArgumentException();
    }
    return duration;
  }

  private static Duration parseDuration(String text) {
    Matcher plain = DURATION.matcher(text.toLowerCase(Locale.ROOT));
    if (!plain.matches()) {
      return Duration.parse(text);
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
    if (bytes == 0 || bytes > MOST_BYTES) {
      throw new IllegalArgumentException();
    }
    return bytes;
  }
}
