package io.contextstore.web.answer;

import io.contextstore.api.RowStream;
import jakarta.annotation.PreDestroy;
import jakarta.enterprise.context.RequestScoped;
import java.util.ArrayList;
import java.util.List;

/**
 * Owns the row streams of one request and closes them when it ends: also when nothing was written,
 * as for HEAD or a failure before the first byte. Used by the request's thread only.
 */
@RequestScoped
public class OpenRows {
  private final List<RowStream> streams = new ArrayList<>();

  /** Takes over the duty to close {@code rows}, and returns it. */
  public RowStream keep(RowStream rows) {
    streams.add(rows);
    return rows;
  }

  @PreDestroy
  void close() {
    streams.forEach(RowStream::close);
    streams.clear();
  }
}
