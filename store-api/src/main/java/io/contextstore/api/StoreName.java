package io.contextstore.api;

import io.contextstore.api.error.InvalidRequestException;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * The name of a store: 1 to 128 of {@code [A-Za-z0-9._-]}, the first neither a dot nor a dash, and
 * none of the reserved names. It is therefore safe as a file name.
 *
 * @param value the name itself
 */
public record StoreName(String value) {
  private static final Pattern ALLOWED = Pattern.compile("[A-Za-z0-9_][A-Za-z0-9._-]{0,127}");
  private static final Set<String> RESERVED = Set.of("_registry", "_stats");

  /** Checks the name; throws {@link InvalidRequestException} when it is not allowed. */
  public StoreName {
    if (!ALLOWED.matcher(value).matches()) {
      throw new InvalidRequestException(
          "a store name has 1 to 128 of the characters A-Z a-z 0-9 . _ - and starts with neither"
              + " '.' nor '-'");
    }
    if (RESERVED.contains(value)) {
      throw new InvalidRequestException("the store name '" + value + "' is reserved");
    }
  }

  @Override
  public String toString() {
    return value;
  }
}
