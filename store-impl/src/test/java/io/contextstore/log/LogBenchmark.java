package io.contextstore.log;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Durable appends a second of 200-byte bodies, beside a loop that does nothing but write and force
 * as many bytes at a time. Not a test; run it by hand:
 *
 * <pre>java -cp (test class path) io.contextstore.log.LogBenchmark (folder) (seconds a run)</pre>
 */
public final class LogBenchmark {
  private static final int BODY = 200;

  private LogBenchmark() {}

  /** Prints a line for each number of threads. */
  public static void main(String[] arguments) throws Exception {
    Path folder = Files.createTempDirectory(Path.of(arguments[0]), "log-benchmark");
    Duration length = Duration.ofSeconds(Long.parseLong(arguments[1]));
    System.out.println("threads  appends/s   p50 us   p99 us  frames a group  bare loop/s");
    for (int threads : new int[] {1, 8, 64, 1, 8, 64}) {
      Result result = run(folder.resolve("log-" + System.nanoTime()), threads, length);
      double bare = bareLoop(folder.resolve("bare"), (int) Math.round(result.group()), length);
      System.out.printf(
          "%7d %10.0f %8d %8d %15.1f %12.0f%n",
          threads, result.rate(), result.p50(), result.p99(), result.group(), bare);
    }
  }

  private record Result(double rate, long p50, long p99, double group) {}

  /** Counts the groups: the first frame of each is admitted with nothing before it in flight. */
  private static final class Counter implements LogListener<Integer> {
    final AtomicLong groups = new AtomicLong();
    private boolean admitting;

    @Override
    public Admission admit(Integer payload, long lsn) {
      if (!admitting) {
        admitting = true;
        groups.incrementAndGet();
      }
      return Admission.ACCEPT;
    }

    @Override
    public void durable(long lsn, Integer payload) {
      admitting = false;
    }

    @Override
    public void discarded(long firstLsn) {
      admitting = false;
    }

    @Override
    public void sealed(SegmentInfo segment, long nextSegment) {}
  }

  private static Result run(Path folder, int threads, Duration length) throws Exception {
    ExecutorService pool = Executors.newCachedThreadPool();
    ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();
    LocalLog log = LocalLog.open(folder, Frames.IDENTITY, 1, 0, LocalLogSettings.DEFAULT);
    Counter counter = new Counter();
    LogWriter<Integer> writer =
        new LogWriter<>(log, counter, pool, timer, LogWriterSettings.DEFAULT);
    long[][] nanos = new long[threads][];
    Thread[] clients = new Thread[threads];
    long start = System.nanoTime();
    long end = start + length.toNanos();
    for (int t = 0; t < threads; t++) {
      int client = t;
      clients[t] = new Thread(() -> nanos[client] = appendUntil(writer, end));
      clients[t].start();
    }
    for (Thread client : clients) {
      client.join();
    }
    double seconds = (System.nanoTime() - start) / 1e9;
    writer.close(Duration.ofSeconds(10));
    log.close(Duration.ofSeconds(10));
    pool.shutdown();
    timer.shutdownNow();
    long[] all = Arrays.stream(nanos).flatMapToLong(Arrays::stream).sorted().toArray();
    return new Result(
        all.length / seconds,
        all[all.length / 2] / 1000,
        all[(int) (all.length * 0.99)] / 1000,
        (double) all.length / counter.groups.get());
  }

  private static long[] appendUntil(LogWriter<Integer> writer, long end) {
    ByteBuffer bytes = ByteBuffer.allocateDirect(BODY);
    long[] nanos = new long[1 << 20];
    int count = 0;
    for (long before = System.nanoTime(); before < end; ) {
      writer.submit(FrameKind.ROWS, FrameBody.of(List.of(bytes)), count).join();
      long now = System.nanoTime();
      nanos[count++] = now - before;
      before = now;
    }
    return Arrays.copyOf(nanos, count);
  }

  private static double bareLoop(Path file, int frames, Duration length) throws IOException {
    ByteBuffer group =
        ByteBuffer.allocateDirect((int) FrameHeader.frameLength(BODY) * Math.max(1, frames));
    long count = 0;
    long start = System.nanoTime();
    try (FileChannel channel =
        FileChannel.open(
            file,
            StandardOpenOption.CREATE,
            StandardOpenOption.WRITE,
            StandardOpenOption.TRUNCATE_EXISTING)) {
      while (System.nanoTime() - start < length.toNanos()) {
        channel.write(group.rewind());
        channel.force(false);
        count += Math.max(1, frames);
      }
    }
    return count / ((System.nanoTime() - start) / 1e9);
  }
}
