package io.contextstore.merge;

import io.contextstore.api.RowKey;
import io.contextstore.generation.Chunk;
import io.contextstore.generation.Generation;
import io.contextstore.generation.KeyBytes;
import io.contextstore.table.MergeKeys;
import java.nio.charset.StandardCharsets;
import java.util.Iterator;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.apache.arrow.vector.VarCharVector;

/**
 * The keys of sealed generations, of rows and tombstones alike.
 *
 * @param generations held by the caller as long as this is used
 */
record GenerationKeys(List<Generation> generations) implements MergeKeys {
  /** Copies the list. */
  GenerationKeys {
    generations = List.copyOf(generations);
  }

  @Override
  public long count() {
    return generations.stream().mapToLong(Generation::rowCount).sum();
  }

  @Override
  public boolean matches(VarCharVector ids, int row) {
    KeyBytes key = KeyBytes.of(ids, row);
    for (Generation generation : generations) {
      if (generation.mentions(key, Long.MAX_VALUE)) {
        return true;
      }
    }
    return false;
  }

  @Override
  public Iterator<RowKey> iterator() {
    return generations.stream().flatMap(GenerationKeys::keys).iterator();
  }

  private static Stream<RowKey> keys(Generation generation) {
    return StreamSupport.stream(generation.chunksAt(Long.MAX_VALUE).spliterator(), false)
        .flatMap(GenerationKeys::keys);
  }

  private static Stream<RowKey> keys(Chunk chunk) {
    return IntStream.range(0, chunk.rows())
        .mapToObj(row -> RowKey.of(new String(chunk.ids().get(row), StandardCharsets.UTF_8)));
  }
}
