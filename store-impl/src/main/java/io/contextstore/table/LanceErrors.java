package io.contextstore.table;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.ExecutionException;

/**
 * Turns what Lance throws into our exceptions. Lance has no error codes: planning errors are {@code
 * IllegalArgumentException}, everything else is told apart by its text alone. Its native methods
 * throw {@code IOException} without declaring it, so whoever calls Lance catches {@code Exception}.
 */
final class LanceErrors {
  private static final List<String> SURELY_NOT_APPLIED =
      List.of("Retryable commit conflict", "Incompatible transaction", "Commit conflict for");

  /** Texts of a filter that failed on a row. */
  private static final List<String> FILTER_ON_ROW =
      List.of("Error applying filter expression", "Arrow error:");

  private static final List<String> IO = List.of("LanceError(IO)", "Object at location");

  /** Lance's JNI cannot build the Java object of a compaction of an indexed table. */
  private static final String UNREADABLE_COMPACTION =
      "Invalid number or type of arguments passed to java method";

  private static final String INVALID_INPUT = "Invalid user input: ";

  private static final String UNDECODABLE = "failed to decode";

  private LanceErrors() {}

  static TableException table(String what, Throwable cause) {
    return cause instanceof TableException own ? own : new TableException(what + " failed", cause);
  }

  /** An error while a scan was planned; the filter's fault unless storage failed. */
  static RuntimeException planning(String what, boolean filtered, Throwable cause) {
    Throwable real = unwrap(cause);
    if (filtered && (isUsersInput(real) || !(real instanceof IOException || mentions(real, IO)))) {
      return new TableFilterException(forUser(real), real);
    }
    return table(what, real);
  }

  /**
   * Whether Lance itself says that the input is wrong. Its text then names the layer that found it,
   * which for a regular expression that does not compile is "IO", though no storage is involved.
   */
  private static boolean isUsersInput(Throwable real) {
    return real instanceof IllegalArgumentException
        && String.valueOf(real.getMessage()).startsWith(INVALID_INPUT);
  }

  /** An error while rows were read; the filter's fault only if the text says so. */
  static RuntimeException reading(String what, boolean filtered, Throwable cause) {
    Throwable real = unwrap(cause);
    if (filtered && mentions(real, FILTER_ON_ROW) && !mentions(real, IO)) {
      return new TableFilterException(forUser(real), real);
    }
    return table(what, real);
  }

  /** An error of a call that plans and reads at once. */
  static RuntimeException counting(String what, boolean filtered, Throwable cause) {
    Throwable real = unwrap(cause);
    return real instanceof IllegalArgumentException
        ? planning(what, filtered, real)
        : reading(what, filtered, real);
  }

  static boolean isConflict(Throwable cause) {
    return mentions(cause, SURELY_NOT_APPLIED);
  }

  static boolean isDamage(Throwable cause) {
    return mentions(cause, List.of(UNDECODABLE));
  }

  static boolean isUnreadableCompaction(Throwable cause) {
    return mentions(cause, List.of(UNREADABLE_COMPACTION));
  }

  private static boolean mentions(Throwable cause, List<String> texts) {
    for (Throwable t = cause; t != null; t = t.getCause()) {
      String message = String.valueOf(t.getMessage());
      if (texts.stream().anyMatch(message::contains)) {
        return true;
      }
    }
    return false;
  }

  private static Throwable unwrap(Throwable cause) {
    return cause instanceof ExecutionException && cause.getCause() != null
        ? cause.getCause()
        : cause;
  }

  /**
   * The part of the message that speaks of the filter, without Lance's wrapping and source lines.
   */
  private static String forUser(Throwable cause) {
    String message = String.valueOf(cause.getMessage());
    // What comes before is Lance's wrapping, with the filter as it was rendered.
    for (String wrapping : List.of("Arrow error: ", "LanceError(IO): ")) {
      int end = message.lastIndexOf(wrapping);
      if (end >= 0) {
        message = message.substring(end + wrapping.length());
      }
    }
    int source = message.indexOf(", /");
    if (source >= 0) {
      message = message.substring(0, source);
    }
    message = message.replace(INVALID_INPUT, "").strip();
    return message.isEmpty() ? "the filter failed" : message;
  }
}
