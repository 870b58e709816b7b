package io.contextstore.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.contextstore.api.RowKey;
import io.contextstore.filter.FilterCompiler;
import io.contextstore.filter.FilterLimits;
import io.contextstore.filter.RenderedFilter;
import io.contextstore.table.TableFilterException;
import io.contextstore.view.Store;
import io.contextstore.view.StoreFixture;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.apache.arrow.vector.BigIntVector;
import org.apache.arrow.vector.VarCharVector;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** All ways to read, against a map, over every mix of base, generations and memtable. */
class StoreReaderTest {
  private static final List<String> COLUMNS = List.of("id", "n");

  @TempDir Path data;
  private final FilterCompiler compiler = new FilterCompiler(FilterLimits.DEFAULT);
  private StoreFixture fixture;
  private Store store;
  private StoreReader reader;

  @BeforeEach
  void open() {
    fixture = new StoreFixture(data);
    store = fixture.create("s");
    reader =
        new StoreReader(
            fixture.root,
            new FilterTables(fixture.tables, fixture.budget, Duration.ofSeconds(30)),
            Duration.ofSeconds(30));
  }

  @AfterEach
  void close() {
    fixture.close();
  }

  @Test
  void randomMixesReadAsAMapDoes() {
    long seed = new Random().nextLong();
    Random random = new Random(seed);
    TreeMap<String, Long> model = new TreeMap<>();
    for (int step = 0; step < 60; step++) {
      mutate(random, model);
      if (step % 6 == 5) {
        check("seed %d, step %d".formatted(seed, step), model, random);
      }
    }
  }

  private void mutate(Random random, Map<String, Long> model) {
    switch (random.nextInt(8)) {
      case 0 -> fixture.seal(store);
      case 1 -> {
        fixture.seal(store);
        fixture.merge(store);
      }
      case 2 -> {
        String[] keys = new String[1 + random.nextInt(4)];
        for (int i = 0; i < keys.length; i++) {
          keys[i] = key(random);
          model.remove(keys[i]);
        }
        fixture.delete(store, keys);
      }
      default -> {
        Object[] cells = new Object[2 * (1 + random.nextInt(6))];
        for (int i = 0; i < cells.length; i += 2) {
          cells[i] = key(random);
          cells[i + 1] = random.nextInt(10);
          model.put((String) cells[i], ((Integer) cells[i + 1]).longValue());
        }
        fixture.append(store, cells);
      }
    }
  }

  // Of several lengths and bytes, so that the order of UTF-8 differs from that of UTF-16.
  private static String key(Random random) {
    String[] heads = {"", "k", "ka", "雪", "\uFFEE", "\uD83D\uDE00", "é"};
    return heads[random.nextInt(heads.length)] + random.nextInt(6);
  }

  private void check(String what, Map<String, Long> model, Random random) {
    assertThat(rows(reader.all(store, Optional.empty(), COLUMNS))).as(what).isEqualTo(model);

    List<String> ordered = new ArrayList<>(model.keySet());
    ordered.sort(
        (a, b) ->
            java.util.Arrays.compareUnsigned(
                a.getBytes(StandardCharsets.UTF_8), b.getBytes(StandardCharsets.UTF_8)));
    checkPages(what, ordered, model, Optional.empty());

    int least = random.nextInt(10);
    Optional<RenderedFilter> filter = Optional.of(filter("n >= " + least + " AND t LIKE 'text%'"));
    Map<String, Long> matching = new TreeMap<>(model);
    matching.values().removeIf(n -> n < least);
    assertThat(rows(reader.all(store, filter, COLUMNS))).as(what).isEqualTo(matching);
    ordered.retainAll(matching.keySet());
    checkPages(what, ordered, matching, filter);

    Set<String> asked = new HashSet<>(model.keySet());
    for (int i = 0; i < 20; i++) {
      asked.add(key(random));
    }
    asked.add("never-there");
    List<String> keys = new ArrayList<>(asked);
    Collections.shuffle(keys, random);
    List<String> expected = keys.stream().filter(model::containsKey).toList();
    Map<String, Long> found =
        rows(reader.byKeys(store, keys.stream().map(RowKey::of).toList(), COLUMNS));
    assertThat(new ArrayList<>(found.keySet())).as(what).isEqualTo(expected);
    found.forEach((key, n) -> assertThat(n).isEqualTo(model.get(key)));
  }

  private void checkPages(
      String what, List<String> ordered, Map<String, Long> model, Optional<RenderedFilter> filter) {
    int size = ordered.size();
    for (int offset = 0; offset <= size + 1; offset += 1 + offset / 3) {
      for (int limit = 0; limit <= size + 1; limit += 1 + limit / 2) {
        Map<String, Long> page =
            rows(reader.page(store, filter, COLUMNS, offset, OptionalLong.of(limit)));
        int from = Math.min(offset, size);
        int to = Math.min(from + limit, size);
        assertThat(new ArrayList<>(page.keySet()))
            .as("%s, offset %d, limit %d", what, offset, limit)
            .isEqualTo(ordered.subList(from, to));
        page.forEach((key, n) -> assertThat(n).isEqualTo(model.get(key)));
      }
      Map<String, Long> rest =
          rows(reader.page(store, filter, COLUMNS, offset, OptionalLong.empty()));
      assertThat(new ArrayList<>(rest.keySet()))
          .isEqualTo(ordered.subList(Math.min(offset, size), size));
    }
  }

  @Test
  void anEmptyStoreHasEmptyPagesOfEverySize() {
    for (long limit : new long[] {0, 1, Long.MAX_VALUE}) {
      for (long offset : new long[] {0, 1, Long.MAX_VALUE}) {
        assertThat(
                rows(reader.page(store, Optional.empty(), COLUMNS, offset, OptionalLong.of(limit))))
            .isEmpty();
      }
    }
    assertThat(rows(reader.all(store, Optional.empty(), COLUMNS))).isEmpty();
    assertThat(rows(reader.byKeys(store, List.of(RowKey.of("a")), COLUMNS))).isEmpty();
    assertThat(rows(reader.byKeys(store, List.of(), COLUMNS))).isEmpty();
  }

  @Test
  void aFullyMergedStoreHasEmptyPagesToo() {
    fixture.append(store, "a", 1, "b", 2);
    fixture.seal(store);
    fixture.merge(store);
    assertThat(rows(reader.page(store, Optional.empty(), COLUMNS, 0, OptionalLong.of(0))))
        .isEmpty();
    assertThat(
            rows(reader.page(store, Optional.empty(), COLUMNS, 1, OptionalLong.of(Long.MAX_VALUE))))
        .containsOnlyKeys("b");
  }

  @Test
  void oldRowsThatMatchDoNotShowThroughNewOnesThatDoNot() {
    fixture.append(store, "a", 1, "b", 1, "c", 1);
    fixture.seal(store);
    fixture.merge(store);
    fixture.append(store, "a", 2);
    fixture.seal(store);
    fixture.delete(store, "b");
    Optional<RenderedFilter> filter = Optional.of(filter("n = 1"));
    assertThat(rows(reader.all(store, filter, COLUMNS))).containsOnlyKeys("c");
    assertThat(rows(reader.page(store, filter, COLUMNS, 0, OptionalLong.of(1))))
        .containsOnlyKeys("c");
  }

  @Test
  void manyKeysAreReadInGroups() {
    Object[] cells = new Object[2 * 300];
    for (int i = 0; i < 300; i++) {
      cells[2 * i] = "k%03d".formatted(i);
      cells[2 * i + 1] = i;
    }
    fixture.append(store, cells);
    fixture.seal(store);
    fixture.merge(store);
    fixture.append(store, "k050", 1050, "k200", 1200);
    List<RowKey> keys = new ArrayList<>();
    for (int i = 299; i >= 0; i--) {
      keys.add(RowKey.of("k%03d".formatted(i)));
      keys.add(RowKey.of("x%03d".formatted(i)));
    }
    Map<String, Long> found = rows(reader.byKeys(store, keys, COLUMNS));
    assertThat(found).hasSize(300).containsEntry("k050", 1050L).containsEntry("k199", 199L);
    assertThat(new ArrayList<>(found.keySet())).isSortedAccordingTo(Collections.reverseOrder());
  }

  @Test
  void aFilterThatFailsOnBaseRowsOnlyFailsBeforeTheFirstRow() {
    fixture.append(store, "zero", 0);
    fixture.seal(store);
    fixture.merge(store);
    fixture.append(store, "five", 5);
    Optional<RenderedFilter> filter = Optional.of(filter("10 / n > 1"));
    assertThatThrownBy(() -> reader.all(store, filter, COLUMNS))
        .isInstanceOf(TableFilterException.class);
    assertThatThrownBy(() -> reader.page(store, filter, COLUMNS, 0, OptionalLong.of(5)))
        .isInstanceOf(TableFilterException.class);
  }

  @Test
  void aCursorOwnsItsPinAndLeavesNothingWhenItIsClosedEarly() {
    fixture.append(store, "a", 1);
    fixture.seal(store);
    fixture.merge(store);
    fixture.append(store, "b", 1);
    fixture.seal(store);
    RowCursor all = reader.all(store, Optional.of(filter("n = 1")), COLUMNS);
    RowCursor page = reader.page(store, Optional.empty(), COLUMNS, 0, OptionalLong.empty());
    RowCursor keyed = reader.byKeys(store, List.of(RowKey.of("a"), RowKey.of("b")), COLUMNS);
    assertThat(all.next()).isTrue();
    fixture.merge(store);
    fixture.settle();
    assertThat(fixture.budget.used()).isPositive();
    all.close();
    page.close();
    assertThat(rows(keyed)).containsOnlyKeys("a", "b");
    fixture.settle();
    assertThat(fixture.budget.used()).isZero();
  }

  @Test
  void theEndOfACursorIsForGood() {
    fixture.append(store, "a", 1);
    for (RowCursor cursor :
        List.of(
            reader.all(store, Optional.empty(), COLUMNS),
            reader.page(store, Optional.empty(), COLUMNS, 0, OptionalLong.empty()),
            reader.byKeys(store, List.of(RowKey.of("a")), COLUMNS))) {
      try (cursor) {
        assertThat(cursor.next()).isTrue();
        assertThat(cursor.next()).isFalse();
        assertThat(cursor.next()).isFalse();
      }
    }
  }

  private RenderedFilter filter(String text) {
    return compiler.compile(text, store.entry().schema());
  }

  /** In the order that they come; fails when a key comes twice. */
  private static Map<String, Long> rows(RowCursor cursor) {
    Map<String, Long> rows = new LinkedHashMap<>();
    try (cursor) {
      while (cursor.next()) {
        Selection selection = cursor.selection();
        assertThat(selection.count()).isPositive();
        VarCharVector ids = (VarCharVector) selection.root().getVector("id");
        BigIntVector numbers = (BigIntVector) selection.root().getVector("n");
        for (int i = 0; i < selection.count(); i++) {
          String id = new String(ids.get(selection.row(i)), StandardCharsets.UTF_8);
          assertThat(rows.put(id, numbers.get(selection.row(i)))).as("%s twice", id).isNull();
        }
      }
    }
    return rows;
  }
}
