package io.contextstore.log;

/**
 * Acknowledged frames cannot be read back: the bytes at {@link #offset} of {@link #place} are wrong
 * in a way that no crash can cause. Nothing was changed.
 */
public final class LogCorruptException extends LogException {
  private static final long serialVersionUID = 1L;

  private final String place;
  private final long offset;

  LogCorruptException(String place, long offset, String problem) {
    super("corrupt log: %s at offset %d: %s".formatted(place, offset, problem), null);
    this.place = place;
    this.offset = offset;
  }

  /** Name of the file or object. */
  public String place() {
    return place;
  }

  /** Offset of the first byte that is in doubt. */
  public long offset() {
    return offset;
  }

  @Override
  public Effect effect() {
    return Effect.NOT_WRITTEN;
  }

  @Override
  public Retry retry() {
    return Retry.AFTER_REPAIR;
  }
}
