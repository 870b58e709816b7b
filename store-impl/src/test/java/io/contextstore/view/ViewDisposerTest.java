package io.contextstore.view;

import static org.assertj.core.api.Assertions.assertThat;

import io.contextstore.guard.MemoryOnly;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.Test;

class ViewDisposerTest {
  private final Queue<Runnable> tasks = new ArrayDeque<>();
  private final List<String> freed = new ArrayList<>();
  private boolean full;
  private final ViewDisposer disposer =
      new ViewDisposer(
          task -> {
            if (full) {
              throw new RejectedExecutionException();
            }
            tasks.add(task);
          });

  @Test
  void freesOnTheExecutorAndKnowsTheLast() {
    dispose("a");
    dispose("b");
    disposer.close();
    assertThat(freed).isEmpty();
    assertThat(gone()).isFalse();

    runAll();
    assertThat(freed).containsExactly("a", "b");
    assertThat(gone()).isTrue();
  }

  @Test
  void whatCannotBeFreedDoesNotKeepTheOthers() {
    disposer.viewCreated();
    disposer.dispose(
        () -> {
          throw new IllegalStateException("for the test");
        });
    dispose("b");
    disposer.close();
    runAll();
    assertThat(freed).containsExactly("b");
    assertThat(gone()).isTrue();
  }

  @Test
  void withoutAThreadTheCallerFreesWhatWaits() {
    full = true;
    dispose("a");
    assertThat(freed).containsExactly("a");
  }

  @Test
  void withoutAThreadAndUnderTheLockItWaitsForTheNextOne() {
    full = true;
    MemoryOnly.run("commitMerge", () -> dispose("a"));
    assertThat(freed).isEmpty();
    dispose("b");
    assertThat(freed).containsExactly("a", "b");

    MemoryOnly.run("commitMerge", () -> dispose("c"));
    full = false;
    MemoryOnly.run("commitMerge", () -> dispose("d"));
    runAll();
    disposer.close();
    assertThat(freed).containsExactly("a", "b", "c", "d");
    assertThat(gone()).isTrue();
  }

  private void dispose(String name) {
    disposer.viewCreated();
    disposer.dispose(
        () -> {
          MemoryOnly.checkIoAllowed();
          freed.add(name);
        });
  }

  private boolean gone() {
    return disposer.whenAllGone().toCompletableFuture().isDone();
  }

  private void runAll() {
    for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
      task.run();
    }
  }
}
