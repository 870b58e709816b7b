package io.contextstore.view;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.contextstore.api.StoreName;
import io.contextstore.api.error.StartupException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CatalogTest {
  @TempDir Path data;
  private DataFolder folder;
  private Catalog catalog;

  @BeforeEach
  void open() {
    folder = DataFolder.open(data);
    catalog = new Catalog(folder);
  }

  @AfterEach
  void close() throws IOException {
    folder.close();
  }

  @Test
  void entriesComeBackAsTheyWere() throws Exception {
    CatalogEntry plain = StoreFixture.entry("a.b-c_d");
    CatalogEntry full =
        new CatalogEntry(
            StoreId.create(new StoreName("x"), StoreKind.GENERIC),
            plain.schema(),
            Map.of("aws_secret_access_key", "s3cr\"et\n雪"),
            true,
            Instant.parse("2026-12-01T10:11:12.131415Z"));
    catalog.put(plain);
    catalog.put(full);

    assertThat(catalog.load()).containsExactlyInAnyOrder(plain, full);
    assertThat(full.toString()).doesNotContain("s3cr");
    catalog.remove(plain.id());
    catalog.remove(plain.id());
    assertThat(catalog.load()).containsExactly(full);
  }

  @Test
  void whatAReplaceLeftBehindIsRemovedAndStrangersAreLeftAlone() throws Exception {
    CatalogEntry entry = StoreFixture.entry("s");
    catalog.put(entry);
    Path entries = data.resolve("catalog");
    Files.writeString(entries.resolve("t.generic.json.tmp"), "{");
    Files.writeString(entries.resolve("README"), "hello");
    Files.writeString(entries.resolve("nothing-of-ours.debris"), "");

    assertThat(catalog.load()).containsExactly(entry);
    catalog.collectDebris(List.of(entry));
    assertThat(entries.resolve("t.generic.json.tmp")).doesNotExist();
    assertThat(entries.resolve("README")).exists();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "{}",
        "[]",
        "null",
        "{\"format\":2}",
        "{\"format\":1,\"name\":\"s\",\"kind\":\"generic\",\"incarnation\":\"../../etc\"}",
        "{\"format\":1,\"name\":\"../s\",\"kind\":\"generic\",\"incarnation\":\"00000000\"}",
        "{\"format\":1,\"name\":\"s\",\"kind\":\"unheard-of\",\"incarnation\":\"00000000\"}",
      })
  void aDamagedEntryStopsTheStartAndIsNamed(String content) throws Exception {
    Path file = data.resolve("catalog/s.generic.json");
    Files.writeString(file, content);
    assertThatThrownBy(catalog::load)
        .isInstanceOf(StartupException.class)
        .hasMessageContaining(file.toString());
    assertThat(file).hasContent(content);
  }

  @Test
  void anEntryUnderAnotherStoresNameIsNotAdopted() throws Exception {
    catalog.put(StoreFixture.entry("s"));
    Files.move(
        data.resolve("catalog/s.generic.json"),
        data.resolve("catalog/other.generic.json"),
        StandardCopyOption.ATOMIC_MOVE);
    assertThatThrownBy(catalog::load)
        .isInstanceOf(StartupException.class)
        .hasMessageContaining("other.generic.json");
  }

  /** What a crash leaves at each step of a create and of a drop, and what the next start does. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        // create: marker, folders, entry, marker away
        "marker",
        "marker folders",
        "marker folders entry",
        "folders entry",
        // drop: marker, entry away, folders away, marker away
        "marker half-of-the-folders",
        // somebody moved the entry away
        "folders",
      })
  void theNextStartMakesOneThingOrTheOtherOfWhatACrashLeft(String left) throws Exception {
    CatalogEntry entry = StoreFixture.entry("s");
    Path table = folder.tableFolder(entry.id());
    Path log = folder.logFolder(entry.id());
    for (String step : left.split(" ", -1)) {
      switch (step) {
        case "marker" -> catalog.markDebris(entry.id());
        case "folders" -> {
          Files.createDirectories(table.resolve("data"));
          Files.writeString(Files.createDirectories(log).resolve("1.log"), "x");
          Files.writeString(folder.files().synced(entry.id()), "1 0");
        }
        case "half-of-the-folders" -> Files.createDirectories(log);
        case "entry" -> catalog.put(entry);
        default -> throw new AssertionError(step);
      }
    }

    for (int start = 0; start < 2; start++) {
      List<CatalogEntry> entries = catalog.load();
      catalog.collectDebris(entries);

      boolean exists = left.contains("entry");
      assertThat(entries).isEqualTo(exists ? List.of(entry) : List.of());
      boolean kept = exists || !left.contains("marker");
      assertThat(Files.exists(table)).isEqualTo(kept && left.contains("folders"));
      assertThat(Files.exists(log)).isEqualTo(kept && left.contains("folders"));
      assertThat(folder.files().debris(entry.id())).doesNotExist();
    }
  }

  @Test
  void theMarkerOfOneIncarnationDoesNotTouchTheNext() throws Exception {
    CatalogEntry dropped = StoreFixture.entry("s");
    CatalogEntry again = StoreFixture.entry("s");
    for (CatalogEntry entry : List.of(dropped, again)) {
      Files.createDirectories(folder.tableFolder(entry.id()));
    }
    catalog.markDebris(dropped.id());
    catalog.put(again);

    catalog.collectDebris(catalog.load());
    assertThat(folder.tableFolder(dropped.id())).doesNotExist();
    assertThat(folder.tableFolder(again.id())).exists();
  }
}
