package io.contextstore.launcher;

import java.io.OutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
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

  private static final SimpleFormatter MESSAGES = new SimpleFormatter();
  private static final StringBuilder KEPT_BACK = new StringBuilder();
  private static boolean starting = true;
  private static @Nullable Throwable problem;

  private static @Nullable String problemText;

  /** For the log manager. */
  public StartLog() {}

  /** A stream of what would have been a log line. */
  static PrintStream asStream() {
    return new PrintStream(
        new OutputStream() {
          private final StringBuilder line = new StringBuilder();

          @Override
          public synchronized void write(int b) {
            line.append((char) (b & 0xff));
            if (b == '\n') {
              StartLog.write(line.toString());
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

  /** The one line that says why the start failed. */
  static synchronized String failure(@Nullable Throwable thrown) {
    Throwable first = problem != null ? problem : thrown;
    if (first != null) {
      return describe(first);
    }
    return problemText != null ? problemText : "the application could not be deployed";
  }

  /** Everything that was logged while starting, for a failure that one line does not explain. */
  static synchronized void printKeptBack() {
    ERR.print(KEPT_BACK);
    ERR.flush();
    KEPT_BACK.setLength(0);
  }

  /** True when the application itself said what is wrong; then nothing else is worth printing. */
  static synchronized boolean explained() {
    return problem != null && startupException(problem) != null;
  }

  @Override
  @SuppressWarnings("StaticAssignmentOfThrowable") // kept to be described, never thrown
  public void publish(LogRecord record) {
    if (!isLoggable(record) || !wanted(record)) {
      return;
    }
    synchronized (StartLog.class) {
      write(format(record));
      if (starting && record.getLevel().intValue() >= Level.SEVERE.intValue()) {
        Throwable thrown = record.getThrown();
        boolean better =
            problem == null
                || (startupException(problem) == null
                    && thrown != null
                    && startupException(thrown) != null);
        if (thrown != null && better) {
          problem = thrown;
        }
        if (problemText == null) {
          problemText = MESSAGES.formatMessage(record).lines().findFirst().orElse("");
        }
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
    return record.getLevel().intValue() >= Level.WARNING.intValue()
        || (record.getLoggerName() != null && record.getLoggerName().startsWith("io.contextstore"));
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

  private static @Nullable Throwable startupException(Throwable thrown) {
    for (Throwable t = thrown; t != null; t = t.getCause()) {
      if (t.getClass().getName().equals(STARTUP_EXCEPTION)) {
        return t;
      }
    }
    return null;
  }
}
