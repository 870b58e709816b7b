package io.contextstore.filter;

import io.contextstore.api.error.InvalidRequestException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Cuts a filter into tokens and refuses one that is over a limit. One pass, no recursion, time and
 * memory linear in the text, so that it is safe on text of any shape. Whatever has no business in a
 * filter (a semicolon, a comment, a parameter, a dot between names) has no token and ends here.
 *
 * <p>Used once, by one thread.
 */
final class Lexer {
  private static final Set<String> OPERATOR_WORDS =
      Set.of(
          "AND",
          "OR",
          "NOT",
          "IN",
          "BETWEEN",
          "LIKE",
          "ILIKE",
          "IS",
          "CAST",
          "TRY_CAST",
          "EXTRACT");
  private static final Set<String> WORDS = Set.of("ESCAPE", "AS", "FROM");

  /** Words of SQL that a filter may not use, unless a column is called so. */
  private static final Set<String> REFUSED_WORDS =
      Set.of(
          "SELECT",
          "EXISTS",
          "WITH",
          "UNION",
          "ANY",
          "SOME",
          "ALL",
          "CASE",
          "OVER",
          "DISTINCT",
          "ORDER",
          "GROUP",
          "SIMILAR",
          "RLIKE",
          "REGEXP",
          "GLOB",
          "INTERVAL",
          "COLLATE",
          "XOR",
          "DIV",
          "MOD",
          "ISNULL",
          "NOTNULL",
          "DATE",
          "TIME",
          "ARRAY",
          "ROW",
          "UNKNOWN");

  private static final Set<String> COMPARISONS = Set.of("=", "<>", "<", "<=", ">", ">=");

  private final Source source;
  private final String text;
  private final FilterLimits limits;
  private final Predicate<String> isColumn;
  private final List<Token> tokens = new ArrayList<>();

  /** For each open bracket its closing one, and how many commas it has seen. */
  private final char[] closers;

  private final int[] commas;
  private int depth;

  /** How many NOTs the last tokens were: the grammar descends for each. */
  private int negations;

  private int operators;
  private int at;

  /** Where the last quoted piece began: reading it moves on before its token is made. */
  private int tokenStart;

  private Lexer(Source source, FilterLimits limits, Predicate<String> isColumn) {
    this.source = source;
    this.text = source.text();
    this.limits = limits;
    this.isColumn = isColumn;
    this.closers = new char[limits.maxDepth()];
    this.commas = new int[limits.maxDepth()];
  }

  /** The tokens, at least one, with balanced brackets; or an exception that names the place. */
  static List<Token> tokens(Source source, FilterLimits limits, Predicate<String> isColumn) {
    return new Lexer(source, limits, isColumn).run();
  }

  private List<Token> run() {
    checkCharacters();
    while (true) {
      skipBlanks();
      if (at == text.length()) {
        break;
      }
      next();
    }
    if (depth > 0) {
      throw source.error(text.length(), "'" + closers[depth - 1] + "' is missing");
    }
    if (tokens.isEmpty()) {
      throw source.error(0, "the filter is empty; it is a condition such as n > 5");
    }
    return tokens;
  }

  private void checkCharacters() {
    // A char is at least one byte: a huge text is refused without counting it out.
    long bytes = text.length() > limits.maxBytes() ? text.length() : 0;
    for (int i = 0; bytes <= limits.maxBytes() && i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == 0) {
        throw source.error(i, "the character U+0000 is not allowed");
      }
      if (Character.isHighSurrogate(c)
          && i + 1 < text.length()
          && Character.isLowSurrogate(text.charAt(i + 1))) {
        i++;
        bytes += 4;
      } else if (Character.isSurrogate(c)) {
        throw source.error(i, "a lone surrogate is not a character");
      } else {
        bytes += c < 0x80 ? 1 : c < 0x800 ? 2 : 3;
      }
    }
    if (bytes > limits.maxBytes()) {
      throw new InvalidRequestException(
          "the filter is too long: at most " + limits.maxBytes() + " bytes of UTF-8 are allowed");
    }
  }

  private void skipBlanks() {
    while (at < text.length() && " \t\r\n".indexOf(text.charAt(at)) >= 0) {
      at++;
    }
  }

  private void next() {
    char c = text.charAt(at);
    if (isNameStart(text.codePointAt(at))) {
      word();
    } else if (isDigit(c) || (c == '.' && isDigit(peek(1)))) {
      number(at, at);
    } else {
      switch (c) {
        case '\'' -> add(Token.Kind.TEXT, quoted('\''), tokenStart);
        case '"', '`' -> quotedName(c);
        case '(' -> open(')');
        case '[' -> open(']');
        case ')', ']' -> close(c);
        case ',' -> comma();
        default -> operator(c);
      }
    }
  }

  private void quotedName(char quote) {
    String name = quoted(quote);
    if (name.isEmpty()) {
      throw source.error(tokenStart, "a name in quotes must not be empty");
    }
    add(Token.Kind.QUOTED_NAME, name, tokenStart);
  }

  /** Reads from the opening quote past the closing one; a doubled quote stands for itself. */
  private String quoted(char quote) {
    tokenStart = at;
    StringBuilder content = new StringBuilder();
    int from = at + 1;
    while (true) {
      int end = text.indexOf(quote, from);
      if (end < 0) {
        throw source.error(tokenStart, "the closing " + quote + " is missing");
      }
      content.append(text, from, end);
      at = end + 1;
      if (peek(0) != quote) {
        return content.toString();
      }
      content.append(quote);
      from = at + 1;
    }
  }

  private void word() {
    int start = at;
    while (at < text.length() && isNamePart(text.codePointAt(at))) {
      at += Character.charCount(text.codePointAt(at));
    }
    String name = text.substring(start, at);
    String upper = name.toUpperCase(Locale.ROOT);
    if (upper.equals("X") && peek(0) == '\'') {
      binary(start);
    } else if (upper.equals("TIMESTAMP") && nextIsText()) {
      skipBlanks();
      add(Token.Kind.TIMESTAMP, quoted('\''), tokenStart);
    } else if (OPERATOR_WORDS.contains(upper)) {
      add(Token.Kind.OPERATOR_WORD, upper, start);
    } else if (WORDS.contains(upper)) {
      add(Token.Kind.WORD, upper, start);
    } else if (upper.equals("TRUE") || upper.equals("FALSE") || upper.equals("NULL")) {
      add(afterIs() ? Token.Kind.WORD : Token.Kind.valueOf(upper), upper, start);
    } else {
      if (REFUSED_WORDS.contains(upper) && !isColumn.test(name)) {
        throw source.error(
            start,
            upper.equals("SELECT") || upper.equals("EXISTS") || upper.equals("WITH")
                ? "sub-queries are not allowed"
                : Source.quote(name) + " is not allowed in a filter");
      }
      add(Token.Kind.NAME, name, start);
    }
  }

  private boolean nextIsText() {
    int back = at;
    skipBlanks();
    boolean isText = peek(0) == '\'';
    at = back;
    return isText;
  }

  private boolean afterIs() {
    int last = tokens.size() - 1;
    return last >= 0
        && (tokens.get(last).is("IS")
            || (last >= 1 && tokens.get(last).is("NOT") && tokens.get(last - 1).is("IS")));
  }

  private void binary(int start) {
    String digits = quoted('\'');
    if (digits.length() % 2 != 0
        || !digits.chars().allMatch(c -> Character.digit(c, 16) >= 0 && c < 0x80)) {
      throw source.error(start, "X'…' holds an even number of hexadecimal digits");
    }
    add(Token.Kind.BINARY, digits.toLowerCase(Locale.ROOT), start);
  }

  /** A number whose digits begin at {@code at}; {@code from} is there or at the sign before it. */
  private void number(int start, int from) {
    int begin = from;
    at = begin;
    digits();
    boolean decimal = false;
    if (peek(0) == '.') {
      decimal = true;
      at++;
      digits();
    }
    if ((peek(0) | 0x20) == 'e') {
      decimal = true;
      at++;
      if (peek(0) == '+' || peek(0) == '-') {
        at++;
      }
      if (!isDigit(peek(0))) {
        throw source.error(start, "a number with an exponent needs digits after the e");
      }
      digits();
    }
    if (at < text.length() && (peek(0) == '.' || isNamePart(text.codePointAt(at)))) {
      throw source.error(start, Source.quote(text.substring(start, at + 1)) + " is not a number");
    }
    String sign = start < begin ? "-" : "";
    add(decimal ? Token.Kind.DECIMAL : Token.Kind.INTEGER, sign + text.substring(begin, at), start);
  }

  private void digits() {
    while (isDigit(peek(0))) {
      at++;
    }
  }

  private void open(char closer) {
    if (depth == limits.maxDepth()) {
      throw tooDeep(at);
    }
    if (closer == ')' && !tokens.isEmpty()) {
      Token before = tokens.getLast();
      if (before.kind() == Token.Kind.NAME) {
        countOperator(before.at());
      } else if (before.kind() == Token.Kind.QUOTED_NAME) {
        throw source.error(before.at(), "the name of a function stands without quotes");
      }
    }
    closers[depth] = closer;
    commas[depth] = 0;
    depth++;
    add(Token.Kind.PUNCTUATION, closer == ')' ? "(" : "[", at++);
  }

  private InvalidRequestException tooDeep(int place) {
    return source.error(
        place, "nested too deeply: at most " + limits.maxDepth() + " levels are allowed");
  }

  private void close(char c) {
    if (depth == 0 || closers[depth - 1] != c) {
      throw source.error(at, "'" + c + "' has no opening counterpart");
    }
    refuseOpenOperator();
    depth--;
    add(Token.Kind.PUNCTUATION, String.valueOf(c), at++);
  }

  /** The grammar would take {@code (+)} behind a column for a join of old. */
  private void refuseOpenOperator() {
    if (!tokens.isEmpty() && tokens.getLast().kind() == Token.Kind.OPERATOR) {
      Token last = tokens.getLast();
      throw source.error(at, "an operand is missing after '" + last.text() + "'");
    }
  }

  private void comma() {
    if (depth == 0) {
      throw source.error(at, "',' is only allowed inside parentheses or brackets");
    }
    refuseOpenOperator();
    commas[depth - 1]++;
    if (commas[depth - 1] >= limits.maxListItems()) {
      throw source.error(at, "a list has at most " + limits.maxListItems() + " items");
    }
    add(Token.Kind.PUNCTUATION, ",", at++);
  }

  private void operator(char c) {
    int start = at;
    char following = peek(1);
    if ((c == '-' && following == '-') || (c == '/' && following == '*')) {
      throw source.error(
          start, "comments are not allowed" + (c == '-' ? "; write - (-x) to negate twice" : ""));
    }
    String symbol =
        switch (c) {
          case '<' -> following == '=' ? "<=" : following == '>' ? "<>" : "<";
          case '>' -> following == '=' ? ">=" : ">";
          case '!' -> following == '=' ? "<>" : "";
          case '|' -> following == '|' ? "||" : "";
          case '=', '+', '-', '*', '/', '%' -> String.valueOf(c);
          default -> "";
        };
    if (symbol.isEmpty()) {
      throw source.error(start, unexpected(text.codePointAt(start)));
    }
    if (COMPARISONS.contains(symbol) && !tokens.isEmpty() && COMPARISONS.contains(lastSymbol())) {
      // The grammar would take "< =" for "<=".
      throw source.error(start, "'" + symbol + "' does not fit behind another comparison");
    }
    at += c == '!' ? 2 : symbol.length();
    if (c == '-' && !afterOperand()) {
      int sign = start;
      skipBlanks();
      if (isDigit(peek(0)) || (peek(0) == '.' && isDigit(peek(1)))) {
        number(sign, at);
        return;
      }
    }
    add(Token.Kind.OPERATOR, symbol, start);
  }

  private String lastSymbol() {
    Token last = tokens.getLast();
    return last.kind() == Token.Kind.OPERATOR ? last.text() : "";
  }

  private boolean afterOperand() {
    if (tokens.isEmpty()) {
      return false;
    }
    Token last = tokens.getLast();
    return last.kind().atom() || last.is(")") || last.is("]");
  }

  private static String unexpected(int c) {
    return switch (c) {
      case ';' -> "';' is not allowed: a filter is one condition";
      case '?', ':', '@', '$' ->
          "'" + (char) c + "' is not allowed: there are no parameters or variables in a filter";
      case '.' ->
          "'.' is not allowed between names: a column is written without a table's name, and in"
              + " \"double quotes\" if it has special characters";
      default ->
          Character.isISOControl(c) || Character.isWhitespace(c) || Character.isSpaceChar(c)
              ? "the character U+%04X is not allowed outside quotes".formatted(c)
              : "'" + Character.toString(c) + "' is not allowed outside quotes";
    };
  }

  private void add(Token.Kind kind, String content, int start) {
    Token token = new Token(kind, content, start);
    if (kind.operator()) {
      countOperator(start);
    }
    negations = token.is("NOT") ? negations + 1 : 0;
    if (depth + negations > limits.maxDepth()) {
      throw tooDeep(start);
    }
    tokens.add(token);
  }

  private void countOperator(int start) {
    operators++;
    if (operators > limits.maxOperators()) {
      throw source.error(
          start,
          "too many operators: at most "
              + limits.maxOperators()
              + " operators and calls are allowed; many values fit in one IN (…)");
    }
  }

  private char peek(int ahead) {
    return at + ahead < text.length() ? text.charAt(at + ahead) : 0;
  }

  private static boolean isDigit(char c) {
    return c >= '0' && c <= '9';
  }

  private static boolean isNameStart(int c) {
    return c == '_' || Character.isLetter(c);
  }

  private static boolean isNamePart(int c) {
    return c == '_'
        || (Character.isUnicodeIdentifierPart(c) && !Character.isIdentifierIgnorable(c));
  }
}
