package io.contextstore.merge;

import static org.assertj.core.api.Assertions.assertThat;

import io.contextstore.api.RowKey;
import io.contextstore.view.Pin;
import io.contextstore.view.Store;
import io.contextstore.view.StoreFixture;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.VarCharVector;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class GenerationKeysTest {
  @TempDir Path data;

  @Test
  void areThoseOfRowsAndTombstonesOfAllGenerations() {
    try (StoreFixture fixture = new StoreFixture(data)) {
      Store store = fixture.create("s");
      fixture.append(store, "a", 1, "é😀", 1);
      fixture.append(store, "a", 2);
      fixture.seal(store);
      fixture.delete(store, "b", "a");
      fixture.seal(store);
      fixture.append(store, "not sealed", 1);
      try (Pin pin = store.pin()) {
        GenerationKeys keys = new GenerationKeys(pin.view().sealed());
        assertThat(keys)
            .extracting(RowKey::text)
            .containsExactlyInAnyOrder("a", "é😀", "a", "b", "a");
        assertThat(keys.count()).isEqualTo(5);
        for (RowKey key : keys) {
          assertThat(matches(keys, key.text())).isTrue();
        }
        assertThat(matches(keys, "not sealed")).isFalse();
        assertThat(new GenerationKeys(List.of())).isEmpty();
      }
    }
  }

  private static boolean matches(GenerationKeys keys, String key) {
    try (RootAllocator allocator = new RootAllocator();
        VarCharVector ids = new VarCharVector("id", allocator)) {
      ids.setSafe(0, key.getBytes(StandardCharsets.UTF_8));
      ids.setValueCount(1);
      return keys.matches(ids, 0);
    }
  }
}
