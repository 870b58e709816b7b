package io.contextstore.log;

import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;

/**
 * Whose log it is; written into every segment and checked at open.
 *
 * @param incarnation of the store, 8 lower-case hex digits
 * @param schemaFingerprint SHA-256 of the store's schema, 64 lower-case hex digits
 */
public record LogIdentity(String incarnation, String schemaFingerprint) {
  private static final Pattern INCARNATION = Pattern.compile("[0-9a-f]{8}");
  private static final Pattern FINGERPRINT = Pattern.compile("[0-9a-f]{64}");

  /** Checks the two forms. */
  public LogIdentity {
    if (!INCARNATION.matcher(incarnation).matches()) {
      throw new IllegalArgumentException("not 8 lower-case hex digits: " + incarnation);
    }
    if (!FINGERPRINT.matcher(schemaFingerprint).matches()) {
      throw new IllegalArgumentException("not 64 lower-case hex digits: " + schemaFingerprint);
    }
  }

  byte[] incarnationBytes() {
    return incarnation.getBytes(StandardCharsets.US_ASCII);
  }
}
