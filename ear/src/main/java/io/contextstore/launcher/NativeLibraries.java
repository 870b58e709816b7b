package io.contextstore.launcher;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Lance copies its native library (180 MB) to the temporary folder of the JVM, which cannot be
 * changed any more, and loads it; a process that is killed would leave it there.
 */
final class NativeLibraries {
  private static final Path MAPS = Path.of("/proc/self/maps");

  private NativeLibraries() {}

  /** On Linux a loaded library needs no name: removes it. Elsewhere it is removed at the exit. */
  static void removeLoadedCopies(Path tempDir) {
    if (!Files.isReadable(MAPS)) {
      return;
    }
    String prefix = tempDir.toAbsolutePath().resolve("liblance_jni").toString();
    try (Stream<String> lines = Files.lines(MAPS)) {
      Set<String> copies =
          lines
              .map(line -> line.substring(Math.max(0, line.indexOf('/'))))
              .filter(path -> path.startsWith(prefix) && !path.endsWith(" (deleted)"))
              .collect(Collectors.toSet());
      for (String copy : copies) {
        Files.deleteIfExists(Path.of(copy));
      }
    } catch (IOException e) {
      // Then it stays until the exit.
    }
  }
}
