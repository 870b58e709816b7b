package io.contextstore.web.request;

import io.contextstore.api.error.InvalidRequestException;
import io.contextstore.api.error.UnsupportedException;
import io.contextstore.api.schema.StoreSchema;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Query parameters, from text to values; a wrong one is refused with its name. */
public final class QueryValues {
  private static final Pattern DIGITS = Pattern.compile("[0-9]{1,18}");

  private QueryValues() {}

  /** A whole number that is not negative and below 10^18. */
  public static OptionalLong count(String name, @Nullable String value) {
    if (value == null) {
      return OptionalLong.empty();
    }
    if (!DIGITS.matcher(value).matches()) {
      throw new InvalidRequestException(
          "'" + name + "' must be a whole number from 0 to 10^18 - 1");
    }
    return OptionalLong.of(Long.parseLong(value));
  }

  /** Text that is not empty. */
  public static Optional<String> text(String name, @Nullable String value) {
    if (value != null && value.isBlank()) {
      throw new InvalidRequestException("'" + name + "' is empty; leave it out instead");
    }
    return Optional.ofNullable(value);
  }

  /** {@code true} or {@code false}; false when absent. */
  public static boolean flag(String name, @Nullable String value) {
    return switch (value) {
      case null -> false;
      case "false" -> false;
      case "true" -> true;
      default -> throw new InvalidRequestException("'" + name + "' must be true or false");
    };
  }

  /**
   * Column names: a single value is split at its commas; of several values each is one name, so
   * that a name with a comma can be given. No value means no choice, an empty list.
   */
  public static List<String> columns(@Nullable List<String> values) {
    if (values == null || values.isEmpty()) {
      return List.of();
    }
    return columnNames(
        values.size() == 1 ? List.of(values.getFirst().split(",", -1)) : List.copyOf(values));
  }

  /** Checks chosen columns: none empty, none twice, not more than a store can have. */
  static List<String> columnNames(List<String> names) {
    if (names.size() > StoreSchema.MAX_COLUMNS) {
      throw new InvalidRequestException(
          "'columns' names at most " + StoreSchema.MAX_COLUMNS + " columns");
    }
    Set<String> seen = new HashSet<>();
    for (String name : names) {
      if (name.isEmpty()) {
        throw new InvalidRequestException("'columns' holds an empty name");
      }
      if (!seen.add(name)) {
        throw new InvalidRequestException("'columns' names '" + name + "' twice");
      }
    }
    return names;
  }

  /** Refuses a parameter that is in the contract but not in this version. */
  public static void refusePlanned(String name, @Nullable String value) {
    if (value != null) {
      throw new UnsupportedException("'" + name + "' is not implemented yet");
    }
  }
}
