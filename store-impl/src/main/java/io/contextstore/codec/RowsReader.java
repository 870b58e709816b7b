package io.contextstore.codec;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.contextstore.api.error.InvalidRequestException;
import io.contextstore.api.error.Quote;
import io.contextstore.api.schema.Column;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.types.pojo.Schema;

/** The rows of one request on their way in. For one thread and one body. */
final class RowsReader {
  private static final String ROWS = "rows";
  private static final int UNKNOWN = -1;

  private final JsonParser in;
  private final Cell cell;
  private final List<Column> columns;
  private final Map<String, Integer> positions;
  private final ValueReader[] readers;

  /** For each column the last row that gave it. */
  private final int[] givenBy;

  private int rows;

  RowsReader(
      JsonParser in, List<Column> columns, Map<String, Integer> positions, StagingArena arena) {
    this.in = in;
    this.cell = new Cell(in);
    this.columns = columns;
    this.positions = positions;
    this.readers = new ValueReader[columns.size()];
    Arrays.setAll(readers, i -> ValueReaders.of(columns.get(i), arena));
    this.givenBy = new int[columns.size()];
    Arrays.fill(givenBy, -1);
  }

  /** Reads the whole body. */
  void readRequest() throws IOException {
    JsonToken first = in.nextToken();
    if (first == null) {
      throw new InvalidRequestException("the body is empty");
    }
    if (first != JsonToken.START_OBJECT) {
      throw new InvalidRequestException(
          "the body is an object with the member \"rows\", got " + cell.present());
    }
    boolean found = false;
    String member;
    while ((member = in.nextFieldName()) != null) {
      if (!member.equals(ROWS)) {
        throw new InvalidRequestException(
            "unknown member '" + Quote.cut(member) + "' in the request; it has \"rows\" only");
      }
      if (found) {
        throw new InvalidRequestException("the request has \"rows\" twice");
      }
      found = true;
      readRows();
    }
    if (!found) {
      throw new InvalidRequestException("the request has no \"rows\"");
    }
    if (in.nextToken() != null) {
      throw new InvalidRequestException("there is more in the body after the request object");
    }
  }

  /** The batch of what was read. */
  RowBatch batch(Schema schema, BufferAllocator allocator) {
    BatchAssembler batch = new BatchAssembler();
    for (ValueReader reader : readers) {
      reader.addTo(batch);
    }
    return batch.assemble(schema, allocator, rows);
  }

  private void readRows() throws IOException {
    if (in.nextToken() != JsonToken.START_ARRAY) {
      throw new InvalidRequestException("\"rows\" is an array of rows, got " + cell.present());
    }
    JsonToken token;
    while ((token = in.nextToken()) != JsonToken.END_ARRAY) {
      if (token != JsonToken.START_OBJECT) {
        throw new InvalidRequestException(
            "row " + rows + ": expects an object, got " + cell.present());
      }
      cell.atRow(rows);
      readRow();
      rows++;
    }
  }

  private void readRow() throws IOException {
    int given = 0;
    int expected = 0;
    String name;
    while ((name = in.nextFieldName()) != null) {
      int position = position(name, expected);
      if (givenBy[position] == rows) {
        throw cell.refuse("the row gives it twice");
      }
      givenBy[position] = rows;
      readValue(position);
      given++;
      expected = position + 1;
    }
    if (given < readers.length) {
      fillMissing();
    }
  }

  /** Rows mostly have their columns in one order, so the next column is the likely one. */
  private int position(String name, int expected) {
    cell.atColumn(name);
    if (expected < columns.size() && columns.get(expected).name().equals(name)) {
      return expected;
    }
    int position = positions.getOrDefault(name, UNKNOWN);
    if (position == UNKNOWN) {
      throw cell.refuse("the store has no such column");
    }
    return position;
  }

  private void readValue(int position) throws IOException {
    if (in.nextToken() != JsonToken.VALUE_NULL) {
      readers[position].read(cell);
    } else if (columns.get(position).nullable()) {
      readers[position].appendNull();
    } else {
      throw cell.refuse("null, but the column is not nullable");
    }
  }

  private void fillMissing() {
    for (int i = 0; i < readers.length; i++) {
      if (givenBy[i] != rows) {
        if (!columns.get(i).nullable()) {
          cell.atColumn(columns.get(i).name());
          throw cell.refuse("missing, but the column is not nullable");
        }
        readers[i].appendNull();
      }
    }
  }
}
