package io.contextstore.it;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.charset.Charset;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * {@code context-store.jar} in a child process, on a free port of 127.0.0.1. Never outlives the
 * test JVM, except when that is killed.
 */
public final class RunnableJar implements AutoCloseable {
  /** JVM options that halve the work of a start, for a test of many starts. */
  public static final List<String> QUICK_START = List.of("-XX:TieredStopAtLevel=1");

  private static final byte[] LOCALHOST = {127, 0, 0, 1};
  private static final Duration START_DEADLINE = Duration.ofMinutes(3);
  private static final Duration STOP_DEADLINE = Duration.ofMinutes(1);

  private final Path dataDir;
  private final int port;
  private final List<String> jvmOptions;
  private final List<String> options;
  private final Thread killer = new Thread(this::destroyForcibly, "kill server");
  private Process process;
  private Output output;

  private RunnableJar(Path dataDir, int port, List<String> jvmOptions, List<String> options) {
    this.dataDir = dataDir;
    this.port = port;
    this.jvmOptions = jvmOptions;
    this.options = options;
    Runtime.getRuntime().addShutdownHook(killer);
    launch();
  }

  /** Starts a server and waits until it is ready. */
  public static RunnableJar start(Path dataDir, String... options) {
    return start(dataDir, List.of(), List.of(options));
  }

  /** Starts a server and waits until it is ready. */
  public static RunnableJar start(Path dataDir, List<String> jvmOptions, List<String> options) {
    RunnableJar server = launch(dataDir, jvmOptions, options);
    server.awaitReady();
    return server;
  }

  /** Starts a server and does not wait: for one that is expected to refuse. */
  public static RunnableJar launch(Path dataDir, List<String> jvmOptions, List<String> options) {
    return new RunnableJar(dataDir, freePort(), List.copyOf(jvmOptions), List.copyOf(options));
  }

  /** Starts the server again after it ended, same port and data; waits until it is ready. */
  public void restart() {
    if (process.isAlive()) {
      throw new IllegalStateException("still running");
    }
    launch();
    awaitReady();
  }

  /** Waits for the ready line. */
  public void awaitReady() {
    try {
      output.ready.get(START_DEADLINE.toMillis(), TimeUnit.MILLISECONDS);
    } catch (ExecutionException | TimeoutException e) {
      String text = output() + threads();
      destroyForcibly();
      throw new AssertionError("the server did not become ready; its output:\n" + text, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  /** The server's root, without a slash at the end. */
  public URI baseUri() {
    return URI.create("http://127.0.0.1:" + port);
  }

  /** Where it keeps its data. */
  public Path dataDir() {
    return dataDir;
  }

  /** The process, for its id and for waiting. */
  public Process process() {
    return process;
  }

  /** All that it has printed since the last start. */
  public String output() {
    return output.text();
  }

  /** Kills it as {@code kill -9} does, and waits for its end. */
  public void kill() {
    process.destroyForcibly();
    awaitExit();
  }

  /** Asks it to stop, as {@code kill} does, and waits for its end. */
  public int terminate() {
    process.destroy();
    return awaitExit();
  }

  /** Waits for its end. */
  public int awaitExit() {
    try {
      if (!process.waitFor(STOP_DEADLINE.toMillis(), TimeUnit.MILLISECONDS)) {
        String text = output();
        destroyForcibly();
        throw new AssertionError("the server did not end; its output:\n" + text);
      }
      output.reader.join();
      return process.exitValue();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void close() {
    try {
      if (process.isAlive()) {
        terminate();
      }
    } finally {
      try {
        Runtime.getRuntime().removeShutdownHook(killer);
      } catch (IllegalStateException e) {
        // The JVM ends already and runs the hook.
      }
    }
  }

  private void launch() {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("-Djava.io.tmpdir=" + System.getProperty("java.io.tmpdir"));
    command.addAll(jvmOptions);
    command.addAll(List.of("-jar", System.getProperty("contextstore.it.jar")));
    command.addAll(List.of("--port", Integer.toString(port), "--data-dir", dataDir.toString()));
    command.addAll(options);
    try {
      Files.createDirectories(dataDir.toAbsolutePath().getParent());
      process = new ProcessBuilder(command).redirectErrorStream(true).start();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    output = new Output(process);
  }

  /** What its threads are doing, if it lives; for the message of a failure. */
  private String threads() {
    if (!process.isAlive()) {
      return "";
    }
    String jstack = Path.of(System.getProperty("java.home"), "bin", "jstack").toString();
    try {
      Process dump =
          new ProcessBuilder(jstack, Long.toString(process.pid()))
              .redirectErrorStream(true)
              .start();
      return new String(dump.getInputStream().readAllBytes(), Charset.defaultCharset());
    } catch (IOException e) {
      return "no threads: " + e;
    }
  }

  private void destroyForcibly() {
    process.destroyForcibly();
  }

  private static int freePort() {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getByAddress(LOCALHOST))) {
      return socket.getLocalPort();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Reads what a process prints, so that it never blocks on a full pipe. */
  private static final class Output {
    final CompletableFuture<String> ready = new CompletableFuture<>();
    final Thread reader;
    private final StringBuilder text = new StringBuilder();

    Output(Process process) {
      reader = Thread.ofPlatform().daemon().name("server output").start(() -> read(process));
    }

    String text() {
      synchronized (text) {
        return text.toString();
      }
    }

    private void read(Process process) {
      try (BufferedReader lines = process.inputReader()) {
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
          synchronized (text) {
            text.append(line).append('\n');
          }
          if (line.startsWith("Context Store is ready:")) {
            ready.complete(line);
          }
        }
        ready.completeExceptionally(new IOException("the process ended"));
      } catch (IOException e) {
        ready.completeExceptionally(e);
      }
    }
  }
}
