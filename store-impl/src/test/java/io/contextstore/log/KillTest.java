package io.contextstore.log;

import static org.assertj.core.api.Assertions.assertThat;

import io.contextstore.log.Frames.Read;
import io.contextstore.log.LogWriterTest.RecordingListener;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Kills a process under load, again and again, and looks for every row that it acknowledged. */
class KillTest {
  private static final int CYCLES = 5;
  private static final int WRITERS = 16;
  private static final LocalLogSettings SMALL_SEGMENTS = new LocalLogSettings(32 * 1024);

  @TempDir Path folder;

  @Test
  @Timeout(120)
  void everyAcknowledgedFrameIsFoundInOrderAfterAKill() throws Exception {
    long seed = new Random().nextLong();
    System.out.println("KillTest seed " + seed);
    Random random = new Random(seed);
    Map<Long, String> acknowledged = new TreeMap<>();
    for (int cycle = 1; cycle <= CYCLES; cycle++) {
      int before = acknowledged.size();
      runAndKill(cycle, 200 + random.nextInt(3000), acknowledged);
      assertThat(acknowledged).as("rows of cycle %d", cycle).hasSizeGreaterThan(before + 199);
      requireFound(cycle, acknowledged);
    }
  }

  private void runAndKill(int cycle, int rows, Map<Long, String> acknowledged)
      throws IOException, InterruptedException {
    Process child =
        new ProcessBuilder(
                ProcessHandle.current().info().command().orElseThrow(),
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                Child.class.getName(),
                folder.resolve("log").toString(),
                String.valueOf(cycle))
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    try (BufferedReader lines = child.inputReader(StandardCharsets.UTF_8)) {
      int seen = 0;
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        int space = line.indexOf(' ');
        // The last line may be torn by the kill; only those with an end were really said.
        if (!line.endsWith(".") || space < 0) {
          continue;
        }
        assertThat(
                acknowledged.put(Long.valueOf(line.substring(0, space)), line.substring(space + 1)))
            .as("an LSN is given once")
            .isNull();
        if (++seen == rows) {
          // By the handle: the process object would close the pipe, and with it what was said last.
          assertThat(child.toHandle().destroyForcibly()).isTrue();
        }
      }
    } finally {
      child.destroyForcibly();
      assertThat(child.waitFor(30, TimeUnit.SECONDS)).isTrue();
    }
  }

  private void requireFound(int cycle, Map<Long, String> acknowledged) {
    LocalLog log = LocalLog.open(folder.resolve("log"), Frames.IDENTITY, cycle, 0, SMALL_SEGMENTS);
    long last = 0;
    int found = 0;
    for (Read frame : Frames.readAll(log)) {
      assertThat(frame.lsn()).isGreaterThan(last);
      last = frame.lsn();
      String text = acknowledged.get(frame.lsn());
      if (text != null) {
        assertThat(frame.body()).isEqualTo(text);
        found++;
      }
    }
    assertThat(found).isEqualTo(acknowledged.size());
    assertThat(log.segments()).hasSizeGreaterThan(cycle);
    assertThat(log.close(Duration.ZERO)).isEqualTo(CloseOutcome.CLOSED);
  }

  /** The process that is killed: writes until then, and says a row only when it is durable. */
  static final class Child {
    private Child() {}

    public static void main(String[] arguments) {
      PrintStream out = System.out;
      int cycle = Integer.parseInt(arguments[1]);
      LocalLog log =
          LocalLog.open(Path.of(arguments[0]), Frames.IDENTITY, cycle, 0, SMALL_SEGMENTS);
      ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();
      ExecutorService pool = Executors.newCachedThreadPool();
      LogWriter<String> writer =
          new LogWriter<>(log, new RecordingListener(), pool, timer, LogWriterSettings.DEFAULT);
      for (int w = 0; w < WRITERS; w++) {
        String prefix = "cycle " + cycle + " writer " + w + " row ";
        new Thread(() -> write(writer, prefix, out), "writer " + w).start();
      }
    }

    private static void write(LogWriter<String> writer, String prefix, PrintStream out) {
      for (long i = 0; ; i++) {
        String text = prefix + i + " " + "x".repeat((int) (i % 300)) + ".";
        long lsn = writer.submit(FrameKind.ROWS, Frames.body(text), text).join();
        out.println(lsn + " " + text);
      }
    }
  }
}
