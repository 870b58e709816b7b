package io.contextstore.log;

class InMemoryLogTest extends WriteAheadLogContract {
  @Override
  WriteAheadLog create() {
    return new InMemoryLog(SEGMENT_BYTES);
  }
}
