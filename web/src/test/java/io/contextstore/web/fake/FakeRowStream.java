package io.contextstore.web.fake;

import io.contextstore.api.RowStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;

/** Writes a prepared text; counts itself out once, however often it is closed. */
final class FakeRowStream implements RowStream {
  private final String store;
  private final byte[] json;
  private final Runnable closed;
  private boolean open = true;

  FakeRowStream(String store, String json, Runnable closed) {
    this.store = store;
    this.json = json.getBytes(StandardCharsets.UTF_8);
    this.closed = closed;
  }

  @Override
  public void writeTo(OutputStream out) throws IOException {
    out.write(json);
    byte[] chunk = new byte[64 << 10];
    if (store.equals("endless")) {
      while (true) {
        out.write(chunk);
      }
    }
    if (store.equals("breaking")) {
      out.write(chunk);
      out.flush();
      throw new IllegalStateException("/secret/file failed");
    }
    if (store.equals("breaking-early")) {
      throw new IllegalStateException("/secret/file failed");
    }
  }

  @Override
  public void close() {
    if (open) {
      open = false;
      closed.run();
    }
  }
}
