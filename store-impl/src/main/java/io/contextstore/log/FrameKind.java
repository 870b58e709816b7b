package io.contextstore.log;

import java.util.Optional;

/**
 * What a frame says. The codes are on disk and never change; a reader that meets one that it does
 * not know refuses the log, so a later version may add some.
 */
public enum FrameKind {
  /** Rows to write; the body is the store's own encoding. */
  ROWS(1),
  /** Keys to delete. */
  TOMBSTONES(2),
  /** Internal to a log: stands for a frame whose body lies elsewhere. Readers never see it. */
  PAYLOAD_REFERENCE(3),
  /** Internal to a log: footer of a sealed segment. Readers never see it. */
  SEAL(4),
  /** Internal to a log with more than one possible owner: an owner's claim. */
  CLAIM(5);

  private final int code;

  FrameKind(int code) {
    this.code = code;
  }

  /** Whether a user of the log may append it. */
  public boolean isData() {
    return this == ROWS || this == TOMBSTONES;
  }

  /** The data kind with this code, if there is one. */
  static Optional<FrameKind> dataOf(int code) {
    return code == ROWS.code
        ? Optional.of(ROWS)
        : code == TOMBSTONES.code ? Optional.of(TOMBSTONES) : Optional.empty();
  }

  int code() {
    return code;
  }
}
