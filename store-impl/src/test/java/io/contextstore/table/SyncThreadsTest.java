package io.contextstore.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class SyncThreadsTest {
  private static List<Path> paths(int count) {
    List<Path> paths = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      paths.add(Path.of("f" + i));
    }
    return paths;
  }

  @Test
  void filesAreSyncedTogether() throws IOException {
    CyclicBarrier together = new CyclicBarrier(8);
    Set<Path> synced = ConcurrentHashMap.newKeySet();
    FileSync meet =
        path -> {
          try {
            together.await(20, TimeUnit.SECONDS);
          } catch (Exception e) {
            throw new IOException(e);
          }
          synced.add(path);
        };
    try (SyncThreads threads = new SyncThreads(meet)) {
      threads.syncAll(paths(8));
    }
    assertThat(synced).hasSize(8);
  }

  @Test
  void allAreTriedAndTheFirstFailureIsThrownWithTheOthers() {
    Set<Path> tried = ConcurrentHashMap.newKeySet();
    FileSync failing =
        path -> {
          tried.add(path);
          if (!path.toString().equals("f3")) {
            throw new IOException(path.toString());
          }
        };
    try (SyncThreads threads = new SyncThreads(failing)) {
      assertThatThrownBy(() -> threads.syncAll(paths(40)))
          .isInstanceOf(IOException.class)
          .hasMessage("f0")
          .satisfies(e -> assertThat(e.getSuppressed()).hasSize(38));
      assertThat(tried).hasSize(40);
      assertThatThrownBy(() -> threads.syncAll(paths(1))).hasMessage("f0");
    }
  }

  @Test
  void nothingToSyncIsFine() throws IOException {
    try (SyncThreads threads = new SyncThreads(FileSync.FORCE)) {
      threads.syncAll(List.of());
    }
  }
}
