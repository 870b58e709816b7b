package io.contextstore.table;

import static io.contextstore.table.TableFixture.EPOCH;
import static io.contextstore.table.TableFixture.numbered;
import static org.assertj.core.api.Assertions.assertThat;

import io.contextstore.api.RowKey;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.arrow.vector.VarCharVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Rows of a merge found through the index: the same as by a scan, whatever it covers. */
class MergeLookUpTest {
  private static final IndexLimits ALWAYS = new IndexLimits(1, 0, 0);

  /** Keys that a careless statement would get wrong. */
  private static final List<String> AWKWARD =
      List.of(
          "'", "' OR '1'='1", "\\", "%", "_", "\"id\"", "\n", " ", "é", "e\u0301", "😀", "ab;--");

  @TempDir Path temp;

  /** Keys as text, some of them twice; remembers how many base rows were looked at. */
  private static final class Keys implements MergeKeys {
    private final List<String> keys;
    private final Set<String> matching;
    private int looks;

    Keys(List<String> keys) {
      this(keys, new HashSet<>(keys));
    }

    Keys(List<String> keys, Set<String> matching) {
      this.keys = keys;
      this.matching = matching;
    }

    @Override
    public long count() {
      return keys.size();
    }

    @Override
    public boolean matches(VarCharVector ids, int row) {
      looks++;
      return matching.contains(new String(ids.get(row), StandardCharsets.UTF_8));
    }

    @Override
    public Iterator<RowKey> iterator() {
      return keys.stream().map(RowKey::of).iterator();
    }
  }

  @Test
  void findsWhatAScanFinds() {
    long seed = System.nanoTime();
    System.out.println("MergeLookUpTest.findsWhatAScanFinds seed " + seed);
    Random random = new Random(seed);
    Map<String, Integer> model = new TreeMap<>();
    try (TableFixture table = new TableFixture(temp)) {
      table.create();
      long watermark = 0;
      boolean mixed = false;
      for (int pass = 0; pass < 40; pass++) {
        Map<String, Integer> upserts = new HashMap<>();
        for (int i = random.nextInt(pass == 0 ? 400 : 60); i > 0; i--) {
          upserts.put(key(random), random.nextInt(1000));
        }
        List<String> keys = new ArrayList<>(upserts.keySet());
        for (int i = random.nextInt(150); i > 0; i--) {
          keys.add(key(random));
        }
        try (MergePass merge = table.tables.beginMerge(table.location, EPOCH, watermark)) {
          Keys wanted = new Keys(keys);
          FoundRows scanned = merge.findRows((KeyMatcher) wanted);
          FoundRows lookedUp = merge.lookUp(wanted).orElseThrow();
          assertThat(places(lookedUp)).as("seed %d pass %d", seed, pass).isEqualTo(places(scanned));
          assertThat(lookedUp.count()).isEqualTo(scanned.count());
          merge.deleteRows(lookedUp);
          if (!upserts.isEmpty()) {
            try (VectorSchemaRoot batch = table.batch(upserts)) {
              merge.writeRows(TableFixture.SCHEMA, List.of(batch).iterator());
            }
          }
          assertThat(merge.commit(++watermark)).isInstanceOf(CommitOutcome.Committed.class);
        }
        model.keySet().removeAll(keys);
        model.putAll(upserts);
        assertThat(table.rows()).as("seed %d pass %d", seed, pass).isEqualTo(model);
        if (random.nextInt(5) == 0) {
          table.tables.upkeepIndex(table.location, EPOCH, watermark, ALWAYS);
        }
        try (TableReader reader = table.tables.openReader(table.location)) {
          IndexState state = reader.indexState();
          mixed |= state.isIndexed() && state.unindexedRows() > 0;
        }
      }
      assertThat(mixed).as("seed %d: rows in and outside of the index", seed).isTrue();
    }
  }

  private static String key(Random random) {
    return random.nextInt(10) == 0
        ? AWKWARD.get(random.nextInt(AWKWARD.size()))
        : "k" + random.nextInt(500);
  }

  private static Map<Integer, Set<Integer>> places(FoundRows rows) {
    Map<Integer, Set<Integer>> places = new TreeMap<>();
    rows.byFragment()
        .forEach((fragment, offsets) -> places.put(fragment, new TreeSet<>(offsets.asList())));
    return places;
  }

  @Test
  void fewKeysAreLookedUpAndManyAreScannedFor() {
    try (TableFixture table = new TableFixture(temp)) {
      table.create();
      table.merge(0, 1, numbered("k", 0, 20_000));
      assertThat(looks(table, 1, "k000001")).as("no index").isEqualTo(20_000);
      table.tables.upkeepIndex(table.location, EPOCH, 1, IndexLimits.DEFAULT);
      assertThat(looks(table, 1, "k000001")).isEqualTo(1);
      assertThat(looks(table, 1, "absent")).isZero();
      assertThat(looks(table, 1)).as("no key").isZero();
      table.merge(1, 2, numbered("l", 0, 10));
      assertThat(looks(table, 2, "k000001", "l000001")).isEqualTo(2);
      String[] many = numbered("k", 0, 5).keySet().toArray(String[]::new);
      assertThat(looks(table, 2, many)).isEqualTo(20_010);
    }
  }

  private static int looks(TableFixture table, long watermark, String... keys) {
    Keys wanted = new Keys(Arrays.asList(keys));
    try (MergePass pass = table.tables.beginMerge(table.location, EPOCH, watermark)) {
      pass.findRows(wanted);
    }
    return wanted.looks;
  }

  @Test
  void anIndexThatNamesRowsOfOtherKeysIsNotBelieved() {
    try (TableFixture table = new TableFixture(temp)) {
      table.create();
      table.merge(0, 1, numbered("k", 0, 20_000));
      table.tables.upkeepIndex(table.location, EPOCH, 1, IndexLimits.DEFAULT);
      // What is looked up is not what matches, as if the index were wrong.
      Keys wanted = new Keys(List.of("k000001"), Set.of("k000002"));
      try (MergePass pass = table.tables.beginMerge(table.location, EPOCH, 1)) {
        assertThat(pass.lookUp(wanted)).isEqualTo(Optional.empty());
        FoundRows found = pass.findRows(wanted);
        assertThat(places(found)).isEqualTo(Map.of(0, Set.of(2)));
      }
    }
  }

  @Test
  void whatTheIndexDoesNotCoverCountsOnceAStatement() {
    IndexState covered = new IndexState(10, 0, 1_000_000, 0);
    assertThat(LookUpCost.isLookUpCheaper(200, 64, covered)).isTrue();
    assertThat(LookUpCost.isLookUpCheaper(201, 64, covered)).isFalse();
    IndexState partly = new IndexState(10, 8, 950_000, 50_000);
    assertThat(LookUpCost.isLookUpCheaper(100, 64, partly)).isTrue();
    assertThat(LookUpCost.isLookUpCheaper(190, 64, partly)).isFalse();
    assertThat(LookUpCost.isLookUpCheaper(190, 1000, partly)).isFalse();
    IndexState large = new IndexState(100, 5, 95_000_000, 5_000_000);
    assertThat(LookUpCost.isLookUpCheaper(1000, 64, large)).isTrue();
    assertThat(LookUpCost.isLookUpCheaper(10_000, 64, large)).isFalse();
    assertThat(LookUpCost.isLookUpCheaper(1, 64, new IndexState(0, 10, 0, 1_000_000))).isFalse();
  }
}
