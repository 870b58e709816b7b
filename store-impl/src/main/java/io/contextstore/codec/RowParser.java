package io.contextstore.codec;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import io.contextstore.api.error.InvalidRequestException;
import io.contextstore.api.error.OverloadedException;
import io.contextstore.api.schema.Column;
import io.contextstore.api.schema.StoreSchema;
import io.contextstore.schema.ArrowSchemas;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.OutOfMemoryException;
import org.apache.arrow.vector.types.pojo.Schema;

/**
 * Reads request bodies {@code {"rows":[{column: value}, …]}} of one store into Arrow batches.
 *
 * <p>All of a body or nothing: the first value that breaks a rule ends the request. Row indexes in
 * messages count from 0. Immutable; any number of threads may parse at a time.
 */
public final class RowParser {
  private static final Duration RETRY = Duration.ofSeconds(1);

  /** What a column of one row needs while it is gathered: three chunks. */
  private static final int BYTES_A_COLUMN = 128;

  private final List<Column> columns;
  private final Schema arrow;
  private final Map<String, Integer> positions;

  /** Resolves the columns of a store once. */
  public RowParser(StoreSchema schema) {
    this.columns = schema.columns();
    this.arrow = ArrowSchemas.rows(schema);
    Map<String, Integer> byName = new HashMap<>();
    for (int i = 0; i < columns.size(); i++) {
      byName.put(columns.get(i).name(), i);
    }
    this.positions = Map.copyOf(byName);
  }

  /** The Arrow schema of the batches. */
  public Schema schema() {
    return arrow;
  }

  /**
   * Reads one body to its end. Does not close {@code body}.
   *
   * @param allocator where the batch lives, and all working memory until then; its limit bounds
   *     both
   * @return the batch, owned by the caller; without rows when the body has none
   * @throws InvalidRequestException anything wrong with the body, also that it ends too early
   * @throws io.contextstore.api.error.TooLargeException a batch of more than 2 GiB
   * @throws OverloadedException the allocator's limit is reached; nothing was written
   * @throws IOException what {@code body} throws, as it is; so are its unchecked exceptions
   */
  public RowBatch parse(InputStream body, BufferAllocator allocator) throws IOException {
    try (StagingArena arena = new StagingArena(allocator, columns.size() * BYTES_A_COLUMN);
        JsonParser in = JsonText.parser(body)) {
      RowsReader rows = new RowsReader(in, columns, positions, arena);
      rows.readRequest();
      return rows.batch(arrow, allocator);
    } catch (JsonProcessingException e) {
      throw JsonText.refused(e);
    } catch (OutOfMemoryException e) {
      throw OverloadedException.nothingWritten("the memory for rows is used up", RETRY);
    }
  }
}
