package io.contextstore.view;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.contextstore.api.error.StartupException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DataFolderTest {
  @TempDir Path temp;

  @Test
  void everyOpeningRaisesTheOwnerEpoch() throws Exception {
    for (long epoch = 1; epoch <= 3; epoch++) {
      try (DataFolder folder = DataFolder.open(temp.resolve("a/b"))) {
        assertThat(folder.ownerEpoch()).isEqualTo(epoch);
      }
    }
  }

  @Test
  void aSecondProcessIsRefusedUntilTheFirstLetsGo() throws Exception {
    try (DataFolder mine = DataFolder.open(temp)) {
      assertThat(openInChild()).contains("StartupException", "in use by another running server");
      assertThat(mine.ownerEpoch()).isEqualTo(1);
    }
    assertThat(openInChild()).isEqualTo("epoch 2");
  }

  // Posix drops all locks of a process on a file when it closes any descriptor of it.
  @Test
  void aRefusedOpeningInTheSameProcessLeavesTheLockInPlace() throws Exception {
    Path link = Files.createSymbolicLink(temp.resolve("link"), Files.createDirectory(data()));
    try (DataFolder mine = DataFolder.open(data())) {
      for (Path again : new Path[] {data(), link, data().resolve("../data")}) {
        assertThatThrownBy(() -> DataFolder.open(again))
            .isInstanceOf(StartupException.class)
            .hasMessageContaining("in use by another running server");
      }
      assertThat(openInChild(data())).contains("in use by another running server");
      assertThat(mine.ownerEpoch()).isEqualTo(1);
    }
    DataFolder.open(link).close();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "x", "1 2", "-3", "0", "9223372036854775807", "99999999999999999999"})
  void aDamagedOwnerEpochStopsTheStartAndGivesTheFolderFree(String content) throws Exception {
    DataFolder.open(data()).close();
    Path file = data().resolve("owner-epoch");
    Files.writeString(file, content);

    assertThatThrownBy(() -> DataFolder.open(data()))
        .isInstanceOf(StartupException.class)
        .hasMessageContaining("owner-epoch")
        .message()
        .doesNotContain("\n");
    assertThat(file).hasContent(content);
    Files.writeString(file, "41\n");
    try (DataFolder folder = DataFolder.open(data())) {
      assertThat(folder.ownerEpoch()).isEqualTo(42);
    }
  }

  @Test
  void aLostOwnerEpochIsNoReasonToBeginAgainWhenThereAreStores() throws Exception {
    try (DataFolder folder = DataFolder.open(data())) {
      new Catalog(folder).put(StoreFixture.entry("s"));
    }
    Files.delete(data().resolve("owner-epoch"));
    assertThatThrownBy(() -> DataFolder.open(data()))
        .isInstanceOf(StartupException.class)
        .hasMessageContaining("owner-epoch is missing although there are stores");
  }

  @Test
  void aFileInTheWayStopsTheStartWithOneLine() throws Exception {
    Files.writeString(data(), "a file");
    assertThatThrownBy(() -> DataFolder.open(data()))
        .isInstanceOf(StartupException.class)
        .hasMessageContaining(data().toString())
        .hasMessageContaining("contextstore.data.dir");
  }

  private Path data() {
    return temp.resolve("data");
  }

  private String openInChild() throws Exception {
    return openInChild(temp);
  }

  private static String openInChild(Path folder) throws Exception {
    Process child =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                Opener.class.getName(),
                folder.toString())
            .redirectErrorStream(true)
            .start();
    String output = new String(child.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    child.waitFor();
    return output.strip();
  }

  /** Another server. */
  static final class Opener {
    private Opener() {}

    public static void main(String[] arguments) throws Exception {
      try (DataFolder folder = DataFolder.open(Path.of(arguments[0]))) {
        System.out.println("epoch " + folder.ownerEpoch());
      } catch (StartupException e) {
        System.out.println(e);
      }
    }
  }
}
