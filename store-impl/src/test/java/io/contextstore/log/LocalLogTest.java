package io.contextstore.log;

import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

class LocalLogTest extends WriteAheadLogContract {
  @TempDir Path folder;

  @Override
  WriteAheadLog create() {
    return LocalLog.open(
        folder.resolve("log"), Frames.IDENTITY, 1, 0, new LocalLogSettings(SEGMENT_BYTES));
  }
}
