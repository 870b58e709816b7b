package io.contextstore.launcher;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The command line.
 *
 * @param passedOn what is not ours, in its order: Payara Micro's options
 */
record Options(int port, String host, @Nullable String dataDir, List<String> passedOn) {
  static final String USAGE =
      """
      Usage: java -jar context-store.jar [options]

        --port <port>      HTTP port (default 8080)
        --host <address>   address to listen on (default 127.0.0.1; 0.0.0.0 for all)
        --data-dir <path>  where the data is (default: CONTEXTSTORE_DATA_DIR, else ./data)
        --help             this text

      All other options go to Payara Micro. Settings are environment variables or system
      properties (java -Dcontextstore.<name>=<value> -jar context-store.jar).
      """;

  /** Thrown with a message for the user. */
  static final class UsageException extends Exception {
    private static final long serialVersionUID = 1L;

    private final String text;

    UsageException(String text) {
      super(text);
      this.text = text;
    }

    @Override
    public String getMessage() {
      return text;
    }
  }

  static Options parse(String[] args) throws UsageException {
    int port = 8080;
    String host = "127.0.0.1";
    String dataDir = null;
    List<String> passedOn = new ArrayList<>();
    for (int i = 0; i < args.length; i++) {
      String name = args[i];
      String value = null;
      int equals = name.indexOf('=');
      if (name.startsWith("--") && equals > 0) {
        value = name.substring(equals + 1);
        name = name.substring(0, equals);
      }
      switch (name) {
        case "--port", "--host", "--data-dir" -> {
          if (value == null) {
            if (++i == args.length) {
              throw new UsageException(name + " needs a value");
            }
            value = args[i];
          }
          switch (name) {
            case "--port" -> port = port(value);
            case "--host" -> host = value;
            default -> dataDir = value;
          }
        }
        default -> passedOn.add(args[i]);
      }
    }
    return new Options(port, host, dataDir, List.copyOf(passedOn));
  }

  private static int port(String value) throws UsageException {
    try {
      int port = Integer.parseInt(value);
      if (port >= 1 && port <= 65535) {
        return port;
      }
    } catch (NumberFormatException e) {
      // reported below
    }
    throw new UsageException("--port must be a number from 1 to 65535, not '" + value + "'");
  }

  /** The data folder as the user will want to see it: what was asked for, else the default. */
  String shownDataDir() {
    for (String candidate :
        new String[] {
          dataDir,
          System.getProperty("contextstore.data.dir"),
          System.getenv("CONTEXTSTORE_DATA_DIR")
        }) {
      if (candidate != null && !candidate.isBlank()) {
        try {
          return candidate.contains("://") ? candidate : Path.of(candidate).toString();
        } catch (InvalidPathException e) {
          return candidate;
        }
      }
    }
    return "./data";
  }
}
