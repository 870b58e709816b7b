package io.contextstore.table;

import static io.contextstore.table.TableFixture.EPOCH;
import static io.contextstore.table.TableFixture.numbered;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What a power cut may leave of a version that was not yet synced. */
class WholeVersionTest {
  @TempDir Path temp;

  private static final Map<String, Integer> BEFORE = numbered("k", 0, 10);

  enum Tear {
    EMPTY(bytes -> new byte[0]),
    HALF(bytes -> Arrays.copyOf(bytes, bytes.length / 2)),
    NO_FOOTER(bytes -> Arrays.copyOf(bytes, bytes.length - 1)),
    ZEROS(bytes -> new byte[bytes.length]),
    // Lance opens this one as version 0 of an empty table.
    ZEROS_WITH_FOOTER(
        bytes -> {
          byte[] torn = bytes.clone();
          Arrays.fill(torn, 0, bytes.length - 16, (byte) 0);
          return torn;
        }),
    FOOTER_POINTS_OUTSIDE(
        bytes -> {
          byte[] torn = bytes.clone();
          torn[bytes.length - 12] = 127;
          return torn;
        }),
    BODY_ZEROS(
        bytes -> {
          byte[] torn = bytes.clone();
          Arrays.fill(torn, bytes.length - 100, bytes.length - 16, (byte) 0);
          return torn;
        });

    private final UnaryOperator<byte[]> how;

    Tear(UnaryOperator<byte[]> how) {
      this.how = how;
    }
  }

  @ParameterizedTest
  @EnumSource
  void aTornManifestIsSetAside(Tear tear) throws IOException {
    long version;
    try (TableFixture table = new TableFixture(temp)) {
      table.create();
      table.merge(0, 1, BEFORE);
      version = table.merge(1, 2, Map.of("torn", 1), "k000000");
      Path manifest = table.manifest(version);
      Files.write(manifest, tear.how.apply(Files.readAllBytes(manifest)));
    }
    recovers(version);
  }

  @Test
  void aVersionWithoutOneOfItsFilesIsSetAside() throws IOException {
    damageOfAFile(Files::delete);
  }

  @Test
  void aVersionWithAShortFileIsSetAside() throws IOException {
    damageOfAFile(
        file -> {
          byte[] bytes = Files.readAllBytes(file);
          Files.write(file, Arrays.copyOf(bytes, bytes.length - 1));
        });
  }

  @Test
  void aVersionWithAnEmptyDeletionVectorIsSetAside() throws IOException {
    long version;
    try (TableFixture table = new TableFixture(temp)) {
      table.create();
      table.merge(0, 1, BEFORE);
      version = table.merge(1, 2, Map.of("torn", 1), "k000000");
      Files.write(newestIn(table.folder.resolve("_deletions")), new byte[0]);
    }
    recovers(version);
  }

  private interface Damage {
    void to(Path file) throws IOException;
  }

  private void damageOfAFile(Damage damage) throws IOException {
    long version;
    try (TableFixture table = new TableFixture(temp)) {
      table.create();
      table.merge(0, 1, BEFORE);
      List<Path> before = filesIn(table.folder.resolve("data"));
      version = table.merge(1, 2, Map.of("torn", 1), "k000000");
      List<Path> added = filesIn(table.folder.resolve("data"));
      added.removeAll(before);
      damage.to(added.getFirst());
    }
    recovers(version);
  }

  /** A new process takes the table, is back at the version before, and the merge can be redone. */
  private void recovers(long torn) throws IOException {
    try (TableFixture table = new TableFixture(temp)) {
      SyncedVersion synced = new SyncedVersion(torn - 1, 1);
      OwnedTable owned = table.tables.takeOwnership(table.location, EPOCH + 1, synced);
      table.opened.add(owned.reader());
      assertThat(owned.watermark()).isEqualTo(1);
      assertThat(table.rows()).isEqualTo(BEFORE);
      assertThat(owned.synced().version()).isGreaterThanOrEqualTo(torn);
      assertThat(Files.exists(table.manifest(torn).resolveSibling(
              table.manifest(torn).getFileName() + ".damaged-1")))
          .isTrue();

      assertThat(table.merge(EPOCH + 1, 1, 2, Map.of("again", 1), Set.of("k000000")))
          .isInstanceOf(CommitOutcome.Committed.class);
      Map<String, Integer> expected = numbered("k", 1, 9);
      expected.put("again", 1);
      assertThat(table.rows()).isEqualTo(expected);
    }
  }

  @Test
  void aSyncedVersionIsNeverSetAside() throws IOException {
    try (TableFixture table = new TableFixture(temp)) {
      table.create();
      long version = table.merge(0, 1, BEFORE);
      byte[] whole = Files.readAllBytes(table.manifest(version));
      SyncedVersion synced = new SyncedVersion(version, 1);
      Files.write(table.manifest(version), new byte[0]);
      assertThatThrownBy(() -> table.tables.takeOwnership(table.location, EPOCH + 1, synced))
          .isInstanceOf(TableDamagedException.class);
      Files.delete(table.manifest(version));
      assertThatThrownBy(() -> table.tables.takeOwnership(table.location, EPOCH + 1, synced))
          .isInstanceOf(TableDamagedException.class);
      Files.write(table.manifest(version), whole);
      table.tables.takeOwnership(table.location, EPOCH + 1, synced).reader().close();
      assertThat(table.rows()).isEqualTo(BEFORE);
    }
  }

  @Test
  void aTornHintDoesNotMatter() throws IOException {
    try (TableFixture table = new TableFixture(temp)) {
      table.create();
      table.merge(0, 1, BEFORE);
      table.merge(1, 2, Map.of("a", 1));
      Path hint = table.folder.resolve("_versions/latest_version_hint.json");
      for (String torn : List.of("", "{\"version\":1}", "{\"version\":99}", "{")) {
        Files.writeString(hint, torn);
        assertThat(table.rows()).as(torn).hasSize(11);
      }
    }
  }

  private static List<Path> filesIn(Path folder) throws IOException {
    try (var files = Files.list(folder)) {
      return new java.util.ArrayList<>(files.toList());
    }
  }

  private static Path newestIn(Path folder) throws IOException {
    return filesIn(folder).stream()
        .max(Comparator.comparing(file -> file.toFile().lastModified()))
        .orElseThrow();
  }
}
