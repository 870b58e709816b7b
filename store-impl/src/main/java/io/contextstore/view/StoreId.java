package io.contextstore.view;

import io.contextstore.api.StoreName;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.regex.Pattern;

/**
 * One creation of a store. A store that is dropped and created again gets a new incarnation and so
 * new folders: a late write to the old ones cannot reach it.
 *
 * @param name the store's name
 * @param kind its kind
 * @param incarnation eight lower-case hexadecimal digits
 */
public record StoreId(StoreName name, StoreKind kind, String incarnation) {
  private static final SecureRandom RANDOM = new SecureRandom();
  private static final Pattern INCARNATION = Pattern.compile("[0-9a-f]{8}");

  /** Checks the incarnation. */
  public StoreId {
    if (!INCARNATION.matcher(incarnation).matches()) {
      throw new IllegalArgumentException("not an incarnation: " + incarnation);
    }
  }

  /** A new creation of the store. */
  public static StoreId create(StoreName name, StoreKind kind) {
    byte[] random = new byte[4];
    RANDOM.nextBytes(random);
    return new StoreId(name, kind, HexFormat.of().formatHex(random));
  }

  /** Reads {@link #folderName}; names may hold dots, so it is read from its end. */
  static StoreId fromFolderName(String text) {
    int incarnation = text.lastIndexOf('.');
    int kind = text.lastIndexOf('.', incarnation - 1);
    if (kind < 1) {
      throw new IllegalArgumentException("not the folder of a store: " + text);
    }
    return new StoreId(
        new StoreName(text.substring(0, kind)),
        StoreKind.of(text.substring(kind + 1, incarnation)),
        text.substring(incarnation + 1));
  }

  /** The common part of the names of its folders. */
  public String folderName() {
    return name.value() + "." + kind.label() + "." + incarnation;
  }

  @Override
  public String toString() {
    return folderName();
  }
}
