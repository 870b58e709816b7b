package io.contextstore.filter;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** No filter that is accepted kills a process in native code, or keeps a thread busy. */
class LanceSurvivalTest {
  @Test
  void aJvmOutlivesEveryAcceptedFilter(@TempDir Path folder) throws Exception {
    long seed = System.nanoTime();
    System.out.println("LanceSurvivalTest seed " + seed);
    Path output = folder.resolve("verdicts.txt");
    Process child =
        new ProcessBuilder(
                List.of(
                    Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                    "--add-opens=java.base/java.nio=ALL-UNNAMED",
                    "--enable-native-access=ALL-UNNAMED",
                    "-Xmx512m",
                    "-XX:ErrorFile=" + folder.resolve("crash.log"),
                    "-XX:-CreateCoredumpOnCrash",
                    "-Djava.io.tmpdir=" + folder,
                    "-cp",
                    System.getProperty("java.class.path"),
                    FilterTorture.class.getName(),
                    Long.toString(seed)))
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    try {
      assertThat(child.waitFor(10, TimeUnit.MINUTES)).as("the child ends in time").isTrue();
    } finally {
      child.destroyForcibly();
    }
    List<String> verdicts = Files.readAllLines(output);
    String tail =
        String.join(
            System.lineSeparator(),
            verdicts.subList(Math.max(0, verdicts.size() - 40), verdicts.size()));
    assertThat(child.exitValue()).as("seed %d, the end of its output: %s", seed, tail).isZero();
    String summary = verdicts.getLast();
    System.out.println("LanceSurvivalTest: " + summary);
    assertThat(summary)
        .matches("accepted \\d{4,}, refused \\d{4,}, failed in Lance \\d+, slowest \\d+ ms.*");
  }
}
