package io.contextstore.codec;

/**
 * Bytes that should be a batch and are not, or not of that schema. The log turns it into its own
 * report of corruption, which names file and offset.
 */
public final class MalformedBatchException extends Exception {
  private static final long serialVersionUID = 1L;

  MalformedBatchException(String message) {
    super(message);
  }

  MalformedBatchException(String message, Throwable cause) {
    super(message, cause);
  }
}
