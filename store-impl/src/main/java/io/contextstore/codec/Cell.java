package io.contextstore.codec;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.contextstore.api.error.InvalidRequestException;
import io.contextstore.api.error.Quote;
import java.io.IOException;

/**
 * Where in the request the parser stands, for the messages of what is wrong there. One object a
 * request, moved along; for one thread.
 */
final class Cell {
  private static final int NO_ITEM = -1;

  private final JsonParser in;
  private int row;
  private String column = "";
  private int item = NO_ITEM;
  private byte[] scratch = new byte[256];

  Cell(JsonParser in) {
    this.in = in;
  }

  JsonParser in() {
    return in;
  }

  void atRow(int index) {
    row = index;
  }

  void atColumn(String name) {
    column = name;
    item = NO_ITEM;
  }

  void atItem(int index) {
    item = index;
  }

  void leaveItems() {
    item = NO_ITEM;
  }

  /** Working memory of at least that size, shared by all columns; content undefined. */
  byte[] scratch(int size) {
    if (scratch.length < size) {
      scratch = new byte[Math.max(size, scratch.length * 2)];
    }
    return scratch;
  }

  /** {@code row 3: column 'n' expects an integer, got "x"}; {@code what} is the middle. */
  InvalidRequestException expects(String what) throws IOException {
    return expects(what, present());
  }

  /** The same for something else than the current value. */
  InvalidRequestException expects(String what, String got) {
    return new InvalidRequestException(
        where() + (item == NO_ITEM ? " expects " : ", expects ") + what + ", got " + got);
  }

  /** The place, a colon and {@code problem}. */
  InvalidRequestException refuse(String problem) {
    return new InvalidRequestException(where() + ": " + problem);
  }

  /** The same with the cause kept for the log. */
  InvalidRequestException refuse(String problem, Throwable cause) {
    return new InvalidRequestException(where() + ": " + problem, cause);
  }

  private String where() {
    String place = "row " + row + ": column '" + Quote.cut(column) + "'";
    return item == NO_ITEM ? place : place + ", item " + item;
  }

  /** The current value as a message shows it. */
  String present() throws IOException {
    JsonToken token = in.currentToken();
    return switch (token) {
      case VALUE_STRING -> '"' + text() + '"';
      case START_ARRAY -> "an array";
      case START_OBJECT -> "an object";
      case null -> "nothing";
      default -> text();
    };
  }

  private String text() throws IOException {
    return Quote.cut(in.getTextCharacters(), in.getTextOffset(), in.getTextLength());
  }
}
