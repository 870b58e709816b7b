package io.contextstore.table;

import static io.contextstore.table.TableFixture.EPOCH;
import static io.contextstore.table.TableFixture.numbered;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What a power cut may leave of a version that was not yet synced. */
class WholeVersionTest {
  @TempDir Path temp;

  private static final Map<String, Integer> BEFORE = numbered("k", 0, 10);

  enum Tear {
    EMPTY,
    HALF,
    NO_MAGIC,
    ZEROS,
    // Lance opens this one as version 0 of an empty table.
    ZEROS_WITH_FOOTER,
    FOOTER_POINTS_OUTSIDE,
    BODY_ZEROS;

    byte[] apply(byte[] whole) {
      byte[] torn = whole.clone();
      int footer = whole.length - 16;
      switch (this) {
        case EMPTY -> torn = new byte[0];
        case HALF -> torn = Arrays.copyOf(whole, whole.length / 2);
        case NO_MAGIC -> torn = Arrays.copyOf(whole, whole.length - 1);
        case ZEROS -> torn = new byte[whole.length];
        case ZEROS_WITH_FOOTER -> Arrays.fill(torn, 0, footer, (byte) 0);
        case FOOTER_POINTS_OUTSIDE -> torn[footer + 4] = 127;
        case BODY_ZEROS -> Arrays.fill(torn, footer - 84, footer, (byte) 0);
      }
      return torn;
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
      Files.write(manifest, tear.apply(Files.readAllBytes(manifest)));
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

  @Test
  void theTransactionFileIsNotNeededSinceTheManifestHasACopy() throws IOException {
    try (TableFixture table = new TableFixture(temp)) {
      table.create();
      table.merge(0, 1, BEFORE);
      for (Path file : filesIn(table.folder.resolve("_transactions"))) {
        Files.delete(file);
      }
    }
    try (TableFixture table = new TableFixture(temp)) {
      OwnedTable owned = table.tables.takeOwnership(table.location, EPOCH + 1, SyncedVersion.NONE);
      table.opened.add(owned.reader());
      assertThat(owned.watermark()).isEqualTo(1);
    }
  }

  @Test
  void anUnreadableFolderCostsNoVersion() throws IOException {
    try (TableFixture table = new TableFixture(temp)) {
      table.create();
      table.merge(0, 1, BEFORE);
    }
    try (TableFixture table = new TableFixture(temp)) {
      Path data = table.folder.resolve("data");
      Path away = table.folder.resolve("away");
      Files.move(data, away);
      // A link to itself: every look at a file in it fails, but not with "not found".
      Files.createSymbolicLink(data, data);
      assertThatThrownBy(
              () -> table.tables.takeOwnership(table.location, EPOCH + 1, SyncedVersion.NONE))
          .isInstanceOf(TableException.class)
          .isNotInstanceOf(TableDamagedException.class);
      Files.delete(data);
      Files.move(away, data);
      table.tables.takeOwnership(table.location, EPOCH + 1, SyncedVersion.NONE).reader().close();
      assertThat(table.rows()).isEqualTo(BEFORE);
    }
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
      assertThat(
              Files.exists(
                  table
                      .manifest(torn)
                      .resolveSibling(table.manifest(torn).getFileName() + ".damaged-1")))
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
      return new ArrayList<>(files.toList());
    }
  }

  private static Path newestIn(Path folder) throws IOException {
    return filesIn(folder).stream()
        .max(Comparator.comparingLong(file -> file.toFile().lastModified()))
        .orElseThrow();
  }
}
