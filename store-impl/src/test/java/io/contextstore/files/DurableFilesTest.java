package io.contextstore.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.contextstore.guard.MemoryOnly;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DurableFilesTest {
  @TempDir Path folder;

  @Test
  void replaceWritesTheWholeContentAndLeavesNothingBeside() throws Exception {
    Path file = folder.resolve("f");
    DurableFiles.replace(file, "first, and longer".getBytes(StandardCharsets.UTF_8));
    DurableFiles.replace(file, "second".getBytes(StandardCharsets.UTF_8));

    assertThat(file).hasContent("second");
    assertThat(folder.toFile().list()).containsExactly("f");
  }

  @Test
  void whatAReplaceLeavesInACrashIsKnownAndInNobodysWay() throws Exception {
    Path leftover = folder.resolve("f.tmp");
    Files.writeString(leftover, "half of something longer");

    assertThat(DurableFiles.isLeftover(leftover)).isTrue();
    assertThat(DurableFiles.isLeftover(folder.resolve("f"))).isFalse();
    DurableFiles.replace(folder.resolve("f"), "new".getBytes(StandardCharsets.UTF_8));
    assertThat(folder.resolve("f")).hasContent("new");
    assertThat(leftover).doesNotExist();
  }

  @Test
  void aFailedReplaceLeavesTheOldContent() throws Exception {
    Path file = folder.resolve("f");
    Files.createDirectories(file.resolve("not-empty"));

    assertThatThrownBy(() -> DurableFiles.replace(file, new byte[1]))
        .isInstanceOf(IOException.class);
    assertThat(file.resolve("not-empty")).exists();
  }

  @Test
  void foldersAreCreatedWithTheirParentsAndMayBeThere() throws Exception {
    Path deep = folder.resolve("a/b/c");
    DurableFiles.createFolders(deep);
    DurableFiles.createFolders(deep);

    assertThat(deep).isDirectory();
    Files.createFile(folder.resolve("file"));
    assertThatThrownBy(() -> DurableFiles.createFolders(folder.resolve("file")))
        .isInstanceOf(IOException.class);
  }

  @Test
  void removingWhatIsNotThereDoesNothing() throws Exception {
    DurableFiles.remove(folder.resolve("f"));
    DurableFiles.removeTree(folder.resolve("g"));
  }

  @Test
  void removingATreeTakesALinkAwayAndNotWhatItLeadsTo() throws Exception {
    Path precious = Files.createDirectories(folder.resolve("elsewhere"));
    Files.writeString(precious.resolve("rows"), "x");
    Path tree = Files.createDirectories(folder.resolve("tree/sub"));
    Files.writeString(tree.resolve("file"), "x");
    Files.createSymbolicLink(tree.resolve("link"), precious);
    Files.createSymbolicLink(tree.resolve("dangling"), folder.resolve("nowhere"));

    DurableFiles.removeTree(folder.resolve("tree"));

    assertThat(folder.resolve("tree")).doesNotExist();
    assertThat(precious.resolve("rows")).hasContent("x");
  }

  @Test
  void nothingHappensUnderTheCoordinatorsLock() {
    MemoryOnly.run(
        "commit",
        () -> {
          refused(() -> DurableFiles.replace(folder.resolve("f"), new byte[0]));
          refused(() -> DurableFiles.remove(folder.resolve("f")));
          refused(() -> DurableFiles.removeTree(folder));
          refused(() -> DurableFiles.createFolders(folder.resolve("g")));
          refused(() -> DurableFiles.sync(folder));
          refused(() -> DurableFiles.sync(folder.resolve("f")));
        });
    assertThat(folder).isEmptyDirectory();
  }

  private interface Step {
    void run() throws IOException;
  }

  private static void refused(Step step) {
    assertThatThrownBy(step::run)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("commit");
  }
}
