package io.contextstore.log;

import java.nio.file.Path;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Every file name of a log folder.
 *
 * <pre>
 * segment-0000000000000000001.log       frames; numbers are consecutive, from 1
 * payload-0000000000000000001.bin       the body of one large frame, outside its segment
 * (either name).tmp                     being written, not yet part of the log; removed at open
 * </pre>
 *
 * Numbers have 19 digits, so that names sort as numbers do. Other names are not ours and are left
 * alone.
 */
final class LogFiles {
  private static final Pattern SEGMENT = Pattern.compile("segment-(\\d{19})\\.log");
  private static final Pattern PAYLOAD = Pattern.compile("payload-(\\d{19})\\.bin");
  private static final Pattern TEMPORARY =
      Pattern.compile("(segment-\\d{19}\\.log|payload-\\d{19}\\.bin)\\.tmp");

  private LogFiles() {}

  static Path segment(Path folder, long number) {
    return folder.resolve("segment-%019d.log".formatted(number));
  }

  static Path payload(Path folder, long number) {
    return folder.resolve("payload-%019d.bin".formatted(number));
  }

  static Path temporary(Path file) {
    return file.resolveSibling(file.getFileName() + ".tmp");
  }

  static OptionalLong segmentNumber(Path file) {
    return number(SEGMENT, file);
  }

  static OptionalLong payloadNumber(Path file) {
    return number(PAYLOAD, file);
  }

  static boolean isTemporary(Path file) {
    return TEMPORARY.matcher(name(file)).matches();
  }

  private static OptionalLong number(Pattern pattern, Path file) {
    Matcher matcher = pattern.matcher(name(file));
    if (!matcher.matches()) {
      return OptionalLong.empty();
    }
    // 19 digits may still be too large for a long; such a file cannot be one that we wrote.
    try {
      return OptionalLong.of(Long.parseLong(matcher.group(1)));
    } catch (NumberFormatException e) {
      return OptionalLong.empty();
    }
  }

  private static String name(Path file) {
    Path name = file.getFileName();
    return name == null ? "" : name.toString();
  }
}
