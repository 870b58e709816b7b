package io.contextstore.launcher;

import fish.payara.micro.boot.PayaraMicroLauncher;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.lang.reflect.Field;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;

/** Starts Payara Micro with the application that this jar carries. */
public final class Launcher {
  private static final String APPLICATION = "/app/context-store.war";

  /**
   * A filter comes in the address, percent-encoded: with Payara's limits (8 KiB, 4 KiB in HTTP/2)
   * the longest that is allowed would not fit, and a longer one would be answered without a body.
   * Memory is taken as needed.
   */
  private static final int HEADER_BYTES = 1 << 20;

  /** What is read of a body that was refused; more ends the connection. */
  private static final int SWALLOWED_BYTES = 1 << 20;

  /** How long an upload may be idle. */
  private static final int UPLOAD_IDLE_MILLIS = 120_000;

  /**
   * Payara's own switches.
   *
   * <ul>
   *   <li>Without the first, four threads start its services, and one start in fifty they wait for
   *       each other's locks in HK2 for ever.
   *   <li>Without the others a %5C in the path of a row, a backslash in its id, is refused before
   *       it gets to us.
   * </ul>
   */
  private static final Map<String, String> SWITCHES =
      Map.of(
          "org.glassfish.startupThreadPolicy", "USE_NO_THREADS",
          "org.glassfish.grizzly.http.util.HttpRequestURIDecoder.ALLOW_BACKSLASH", "true",
          "org.glassfish.grizzly.tcp.tomcat5.CoyoteAdapter.ALLOW_BACKSLASH", "true");

  @SuppressWarnings("InlineFormatString") // A file of its own, not a phrase of a method.
  private static final String COMMANDS =
      """
      set configs.config.server-config.network-config.network-listeners.network-listener.http-listener.address=%1$s
      set configs.config.server-config.network-config.protocols.protocol.http-listener.http.header-buffer-length-bytes=%2$d
      set configs.config.server-config.network-config.protocols.protocol.http-listener.http.http2-max-header-list-size-in-bytes=%2$d
      set configs.config.server-config.network-config.protocols.protocol.http-listener.http.max-swallowing-input-bytes=%3$d
      set configs.config.server-config.network-config.transports.transport.tcp.read-timeout-millis=%4$d
      """;

  private Launcher() {}

  /** Starts the server; returns when it is ready, or ends the process with status 1. */
  public static void start(String[] args) {
    if (List.of(args).contains("--help")) {
      System.out.print(Options.USAGE);
      return;
    }
    try {
      Options options = Options.parse(args);
      checkAddress(options);
      start(options);
    } catch (Options.UsageException e) {
      fail(e.getMessage());
    } catch (IOException e) {
      fail(e.toString());
    }
  }

  private static void start(Options options) throws IOException {
    PrintStream out = System.out;
    // Some of Payara's parts print there; what this process prints there is the ready line alone.
    System.setOut(StartLog.asStream());
    allowUnsafe();
    Path tempDir = Path.of(System.getProperty("java.io.tmpdir"));
    RunFolder folder = RunFolder.create(tempDir);
    Runtime.getRuntime().addShutdownHook(new Thread(() -> cleanUp(folder), "cleanup"));
    if (options.dataDir() != null) {
      System.setProperty("contextstore.data.dir", options.dataDir());
    }
    SWITCHES.forEach(System::setProperty);

    Throwable thrown = null;
    try {
      PayaraMicroLauncher.create(payaraOptions(options, folder.path()));
    } catch (IOException e) {
      throw e;
    } catch (Exception e) {
      thrown = e;
    }
    // A failed deployment is logged and nothing else: Payara lists the application all the same.
    String failure = StartLog.failure(thrown);
    NativeLibraries.removeLoadedCopies(tempDir);
    if (failure != null) {
      folder.delete();
      fail(failure);
    }
    StartLog.started();
    out.printf(
        "Context Store is ready: %1$s/ (API description: %1$s/openapi), data in %2$s%n",
        url(options), options.shownDataDir());
    out.flush();
  }

  private static String[] payaraOptions(Options options, Path folder) throws IOException {
    Path logging = folder.resolve("logging.properties");
    try (InputStream in = resource("/io/contextstore/launcher/logging.properties")) {
      Files.copy(in, logging);
    }
    Path commands = folder.resolve("before-boot.txt");
    List<String> passedOn = new ArrayList<>(options.passedOn());
    // Payara takes one such file, and the user's must not undo the address.
    int own = passedOn.indexOf("--prebootcommandfile");
    String users = "";
    if (own >= 0 && own + 1 < passedOn.size()) {
      users = Files.readString(Path.of(passedOn.remove(own + 1))) + "\n";
      passedOn.remove(own);
    }
    Files.writeString(
        commands,
        users
            + COMMANDS.formatted(
                options.host(), HEADER_BYTES, SWALLOWED_BYTES, UPLOAD_IDLE_MILLIS));

    List<String> all = new ArrayList<>();
    all.addAll(List.of("--port", Integer.toString(options.port())));
    all.addAll(List.of("--rootdir", folder.resolve("server").toString()));
    all.addAll(List.of("--prebootcommandfile", commands.toString()));
    if (!passedOn.contains("--logproperties")) {
      all.addAll(List.of("--logproperties", logging.toString()));
    }
    // No clustering, no call home: this server talks to nobody but its clients and its storage.
    all.addAll(List.of("--nohazelcast", "--disablephonehome"));
    all.addAll(passedOn);
    Path application = unpackApplication(folder.resolve("context-store"));
    all.addAll(List.of("--contextroot", "/", "--deploy", application.toString()));
    return all.toArray(String[]::new);
  }

  /**
   * Java 24 and newer warn at the first use of sun.misc.Unsafe, which Payara and Arrow need. The
   * option against it cannot be given in a manifest; it is a property that the JVM saved at its
   * start. When this fails the warning appears and nothing else happens.
   */
  private static void allowUnsafe() {
    try {
      Field saved = Class.forName("jdk.internal.misc.VM").getDeclaredField("savedProps");
      saved.setAccessible(true);
      Map<Object, Object> properties = new HashMap<>((Map<?, ?>) saved.get(null));
      properties.put("sun.misc.unsafe.memory.access", "allow");
      saved.set(null, Map.copyOf(properties));
    } catch (ReflectiveOperationException | RuntimeException e) {
      // see above
    }
  }

  /** Unpacked here and not by Payara: it would first copy the whole archive to a temporary file. */
  private static Path unpackApplication(Path target) throws IOException {
    try (ZipInputStream zip = new ZipInputStream(resource(APPLICATION))) {
      for (ZipEntry entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
        Path path = target.resolve(entry.getName()).normalize();
        if (!path.startsWith(target)) {
          throw new IOException("bad entry in the application: " + entry.getName());
        }
        if (entry.isDirectory()) {
          Files.createDirectories(path);
        } else {
          Files.createDirectories(path.getParent());
          Files.copy(zip, path);
        }
      }
    }
    return target;
  }

  private static InputStream resource(String name) throws IOException {
    InputStream in = Launcher.class.getResourceAsStream(name);
    if (in == null) {
      throw new IOException("this jar is incomplete: it has no " + name);
    }
    return in;
  }

  /** Payara reports a port in use late and at length. */
  private static void checkAddress(Options options) throws Options.UsageException {
    try (ServerSocket probe = new ServerSocket()) {
      probe.setReuseAddress(true);
      probe.bind(new InetSocketAddress(InetAddress.getByName(options.host()), options.port()));
    } catch (UnknownHostException e) {
      throw new Options.UsageException("--host: unknown address '" + options.host() + "'");
    } catch (IOException e) {
      throw new Options.UsageException(
          "cannot listen on " + options.host() + ":" + options.port() + ": " + e.getMessage());
    }
  }

  private static String url(Options options) {
    boolean local = options.host().equals("127.0.0.1") || options.host().equals("0.0.0.0");
    String host = options.host().contains(":") ? "[" + options.host() + "]" : options.host();
    return "http://" + (local ? "localhost" : host) + ":" + options.port();
  }

  private static void cleanUp(RunFolder folder) {
    // Payara stops the application in a hook of its own, at the same time.
    for (Thread thread : Thread.getAllStackTraces().keySet()) {
      if (thread.getName().equals("Payara Micro Shutdown Hook")) {
        try {
          thread.join();
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
          return;
        }
      }
    }
    folder.delete();
  }

  private static void fail(String message) {
    StartLog.print("Context Store did not start: " + message);
    // Not exit: nothing runs that has to be stopped, and Payara's hook would print a line more.
    Runtime.getRuntime().halt(1);
  }
}
