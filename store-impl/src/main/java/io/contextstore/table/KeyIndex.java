package io.contextstore.table;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.lance.Dataset;
import org.lance.Fragment;
import org.lance.index.Index;
import org.lance.index.IndexOptions;
import org.lance.index.IndexParams;
import org.lance.index.IndexType;
import org.lance.index.OptimizeOptions;
import org.lance.index.scalar.BTreeIndexParams;
import org.lance.schema.LanceField;

/**
 * The BTREE on the key column, in Lance's words. It may have several segments; another program may
 * have made it, under any name. Nothing here is called on the handle of a reader that is in use:
 * all of it holds the handle.
 */
final class KeyIndex {
  /** The files that Lance writes for a BTREE; nothing in the manifest names them. */
  static final List<String> FILES = List.of("page_data.lance", "page_lookup.lance");

  private static final String NAME = "id_btree";

  private KeyIndex() {}

  /** Its segments at the version that the handle shows; none when there is no index. */
  static List<Index> segments(Dataset dataset) {
    int key = keyField(dataset);
    return dataset.getIndexes().stream()
        .filter(
            index -> index.indexType() == IndexType.BTREE && List.of(key).equals(index.fields()))
        .toList();
  }

  /** Whether it is one that was made here, and not by another program in a way of its own. */
  static boolean isOurs(Index index) {
    return index.name().equals(NAME) && index.indexType() == IndexType.BTREE;
  }

  private static int keyField(Dataset dataset) {
    return dataset.getLanceSchema().fields().stream()
        .filter(field -> field.getName().equals(MergePass.KEY_COLUMN))
        .mapToInt(LanceField::getId)
        .findFirst()
        .orElseThrow(() -> new TableDamagedException("no key column in " + dataset.uri()));
  }

  /** How far it covers the version that the handle shows. */
  static IndexState state(Dataset dataset) {
    Set<Integer> covered = new HashSet<>();
    segments(dataset).forEach(segment -> segment.fragments().ifPresent(covered::addAll));
    int indexedFragments = 0;
    int unindexedFragments = 0;
    long indexedRows = 0;
    long unindexedRows = 0;
    for (Fragment fragment : dataset.getFragments()) {
      long rows = fragment.metadata().getNumRows();
      // A fragment that is gone stays in the index's list.
      if (covered.contains(fragment.getId())) {
        indexedFragments++;
        indexedRows += rows;
      } else {
        unindexedFragments++;
        unindexedRows += rows;
      }
    }
    return new IndexState(indexedFragments, unindexedFragments, indexedRows, unindexedRows);
  }

  /** Commits an index over all rows of the version that the handle shows, unless it covers them. */
  static void cover(Dataset dataset) {
    List<Index> segments = segments(dataset);
    if (segments.isEmpty()) {
      dataset.createIndex(
          IndexOptions.builder(
                  List.of(MergePass.KEY_COLUMN),
                  IndexType.BTREE,
                  IndexParams.builder()
                      .setScalarIndexParams(BTreeIndexParams.builder().build())
                      .build())
              .withIndexName(NAME)
              .build());
    } else {
      dataset.optimizeIndices(
          OptimizeOptions.builder()
              // Without names it would rewrite the indices that other programs have made as well.
              .indexNames(List.of(segments.getFirst().name()))
              .numIndicesToMerge(segments.size())
              .build());
    }
  }
}
