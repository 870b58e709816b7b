package io.contextstore.launcher;

/**
 * Where {@code java -jar context-store.jar} begins. Compiled for old Java versions, so that they
 * can say what is missing; {@link Launcher} does the work.
 */
public final class Main {
  private static final int NEEDED = 21;

  private Main() {}

  /** Starts the server. */
  public static void main(String[] args) throws Exception {
    int running = Runtime.version().feature();
    if (running < NEEDED) {
      System.err.printf(
          "Context Store needs Java %d or newer; this is Java %d (%s).%n",
          NEEDED, running, System.getProperty("java.home"));
      System.exit(1);
    }
    Class.forName("io.contextstore.launcher.Launcher")
        .getMethod("start", String[].class)
        .invoke(null, (Object) args);
  }
}
