package io.contextstore.api.rest;

/** Descriptions that several calls share. */
final class Texts {
  static final String NAME = "The name of the store.";

  static final String ID =
      "The id of the row, percent-encoded (a/b as a%2Fb). The ids . and .. and those with /../ in"
          + " them cannot be told from relative paths on the way here; get them by get-rows.";

  static final String COLUMNS =
      "The columns wanted, each once; all but blobs when left out. One value is split at its commas."
          + " When the parameter is there several times each value is one name, as it is, so that a"
          + " name with a comma can be given.";

  private Texts() {}
}
