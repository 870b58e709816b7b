package io.contextstore.launcher;

import java.io.OutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.SimpleFormatter;
import org.jspecify.annotations.Nullable;

/**
 * The server's log on standard error, a line a record. While the server starts, problems are kept
 * back: a start that fails prints its cause and nothing else, one that succeeds prints them all.
 *
 * <p>The log manager creates it by the name in {@code logging.properties}.
 */
public final class StartLog extends Handler {
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss.SSSXXX");
  private static final String STARTUP_EXCEPTION = "io.contextstore.api.error.StartupException";

  /** The process's real standard error: Payara replaces System.err by a stream into the log. */
  private static final PrintStream ERR = System.err;

  /** Lines at every start and stop that mean nothing. */
  private static final List<String> HARMLESS =
      List.of(
          "_SystemInterceptorProxy_Serializable",
          "differs from path from bundle",
          "JdbcRuntimeExtension");

  private static final SimpleFormatter MESSAGES = new SimpleFormatter();
  private static final StringBuilder KEPT_BACK = new StringBuilder();
  private static boolean starting = true;
  private static @Nullable Throwable problem;

  /** For the log manager. */
  public StartLog() {}

  /**
   * Stands in for System.out, where some parts of Payara print: to the log, nothing at the start.
   */
  static PrintStream asStream() {
    return new PrintStream(
        new OutputStream() {
          private final StringBuilder line = new StringBuilder();

          @Override
          public synchronized void write(int b) {
            line.append((char) (b & 0xff));
            if (b == '\n') {
              if (!starting() && !isHarmless(line.toString())) {
                StartLog.write(line.toString());
              }
              line.setLength(0);
            }
          }
        },
        true,
        StandardCharsets.ISO_8859_1);
  }

  static void print(String line) {
    ERR.println(line);
    ERR.flush();
  }

  private static synchronized boolean starting() {
    return starting;
  }

  private static synchronized void write(String text) {
    if (starting) {
      KEPT_BACK.append(text);
    } else {
      ERR.print(text);
      ERR.flush();
    }
  }

  static synchronized void started() {
    starting = false;
    printKeptBack();
  }

  /**
   * Why the start failed, or null. If the application did not say it itself, the whole log is
   * printed too.
   */
  static synchronized @Nullable String failure(@Nullable Throwable thrown) {
    Throwable first = problem != null ? problem : thrown;
    if (first == null) {
      return null;
    }
    if (startupException(first) == null) {
      printKeptBack();
    }
    return describe(first);
  }

  private static void printKeptBack() {
    ERR.print(KEPT_BACK);
    ERR.flush();
    KEPT_BACK.setLength(0);
  }

  @Override
  @SuppressWarnings("StaticAssignmentOfThrowable") // kept to be described, never thrown
  public void publish(LogRecord record) {
    if (!isLoggable(record) || !wanted(record)) {
      return;
    }
    // Outside of the lock: it may load classes, whose loaders have locks and logs of their own.
    String text = format(record);
    synchronized (StartLog.class) {
      write(text);
      if (starting && (saysWhy(record) || (problem == null && isFailure(record)))) {
        problem = record.getThrown();
      }
    }
  }

  @Override
  public void flush() {
    ERR.flush();
  }

  @Override
  public void close() {
    flush();
  }

  /** Payara sets levels of its own for its loggers; those would tell its whole life. */
  private static boolean wanted(LogRecord record) {
    if (isOurs(record)) {
      return record.getLevel().intValue() >= Level.INFO.intValue();
    }
    return record.getLevel().intValue() >= Level.WARNING.intValue()
        && !isHarmless(String.valueOf(record.getMessage()));
  }

  private static boolean isHarmless(String message) {
    return HARMLESS.stream().anyMatch(message::contains);
  }

  /**
   * The application's own word that it cannot start. It has to log it: of what an observer of the
   * start throws the container keeps the text alone.
   */
  private static boolean saysWhy(LogRecord record) {
    return startupException(record.getThrown()) != null;
  }

  /** The container's word that a deployment failed; what else we log as severe is not the end. */
  private static boolean isFailure(LogRecord record) {
    return record.getThrown() != null
        && record.getLevel().intValue() >= Level.SEVERE.intValue()
        && !isOurs(record);
  }

  private static boolean isOurs(LogRecord record) {
    return record.getLoggerName() != null && record.getLoggerName().startsWith("io.contextstore");
  }

  private static String format(LogRecord record) {
    StringBuilder text = new StringBuilder(200);
    text.append(TIME.format(OffsetDateTime.ofInstant(record.getInstant(), ZoneId.systemDefault())))
        .append(' ')
        .append(record.getLevel().getName())
        .append(' ')
        .append(record.getLoggerName())
        .append(": ")
        .append(MESSAGES.formatMessage(record))
        .append(System.lineSeparator());
    if (record.getThrown() != null) {
      StringWriter trace = new StringWriter();
      record.getThrown().printStackTrace(new PrintWriter(trace, true));
      text.append(trace);
    }
    return text.toString();
  }

  private static String describe(Throwable thrown) {
    Throwable named = startupException(thrown);
    if (named != null && named.getMessage() != null) {
      return named.getMessage();
    }
    Throwable deepest = thrown;
    for (Throwable cause = thrown; cause != null; cause = cause.getCause()) {
      deepest = cause;
    }
    return deepest.toString().lines().findFirst().orElse("");
  }

  private static @Nullable Throwable startupException(@Nullable Throwable thrown) {
    for (Throwable t = thrown; t != null; t = t.getCause()) {
      if (t.getClass().getName().equals(STARTUP_EXCEPTION)) {
        return t;
      }
    }
    return null;
  }
}
