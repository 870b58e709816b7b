package io.contextstore.codec;

import org.apache.arrow.memory.ArrowBuf;

/** One buffer of a vector, complete but not yet at its final place. */
interface Staged {
  /** Its length in bytes. */
  long length();

  /** Writes exactly {@link #length} bytes into {@code target} from {@code at} on. */
  void copyTo(ArrowBuf target, long at);
}
