package io.contextstore.it;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Node.js of this machine, if it has one. */
final class Node {
  private static final int NEEDED = 20;
  private static final Duration DEADLINE = Duration.ofMinutes(3);

  private Node() {}

  /** Whether node and npm are on the PATH; {@code -Dcontextstore.it.without-node} denies it. */
  static boolean isThere() {
    if (System.getProperty("contextstore.it.without-node") != null) {
      return false;
    }
    try {
      Path here = Path.of("").toAbsolutePath();
      String version = run(here, "node", "--version").strip();
      run(here, "npm", "--version");
      return Integer.parseInt(version.substring(1, version.indexOf('.'))) >= NEEDED;
    } catch (UncheckedIOException notFound) {
      return false;
    }
  }

  /** Runs a command to its end and returns what it printed; fails when the command does. */
  static String run(Path folder, String... command) {
    try {
      Path output = Files.createTempFile("command", ".txt");
      Process process =
          new ProcessBuilder(command)
              .directory(folder.toFile())
              .redirectErrorStream(true)
              .redirectOutput(output.toFile())
              .start();
      try {
        boolean ended = process.waitFor(DEADLINE.toMillis(), TimeUnit.MILLISECONDS);
        String text = Files.readString(output);
        if (!ended || process.exitValue() != 0) {
          throw new AssertionError(
              List.of(command) + (ended ? " failed:\n" : " did not end:\n") + text);
        }
        return text;
      } finally {
        process.destroyForcibly();
        Files.delete(output);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }
}
