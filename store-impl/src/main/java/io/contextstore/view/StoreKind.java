package io.contextstore.view;

/** What a store holds: a kind is a schema with its HTTP mapping on one engine. */
public enum StoreKind {
  /** A schema that the user declared. */
  GENERIC("generic");

  private final String label;

  StoreKind(String label) {
    this.label = label;
  }

  /** The kind's name in files, metrics and messages. */
  public String label() {
    return label;
  }

  /** The kind of that name. */
  public static StoreKind of(String label) {
    for (StoreKind kind : values()) {
      if (kind.label.equals(label)) {
        return kind;
      }
    }
    throw new IllegalArgumentException("unknown kind of store: " + label);
  }
}
