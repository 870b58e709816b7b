package io.contextstore.filter;

import io.contextstore.api.error.InvalidRequestException;
import io.contextstore.api.schema.StoreSchema;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/**
 * Makes a {@link RenderedFilter} of a user's text. Stateless apart from its limits; any thread, a
 * small stack suffices; at the default limits it takes well under a millisecond once warm.
 *
 * <p>What a filter may hold, with the semantics of Lance (a row is in the result when the filter is
 * true, not when it is null):
 *
 * <ul>
 *   <li>columns of the schema, case-sensitive, bare or in double quotes or backticks
 *   <li>literals: {@code 'text'}, whole and decimal numbers, {@code TRUE}, {@code FALSE}, {@code
 *       NULL}, {@code X'00ff'}; a timestamp is a whole number of microseconds or RFC 3339 text,
 *       wherever a timestamp is expected, or {@code timestamp '…'} anywhere
 *   <li>{@code = <> != < <= > >=}, {@code [NOT] IN (…)}, {@code [NOT] BETWEEN … AND …}, {@code
 *       [NOT] LIKE} and {@code ILIKE} with a literal pattern and an optional {@code ESCAPE} (else
 *       the backslash escapes), {@code IS [NOT] NULL | TRUE | FALSE}, {@code AND OR NOT}
 *   <li>{@code + - * / %} on numbers, {@code ||} on text, {@code CAST} and {@code TRY_CAST}
 *   <li>the functions of {@link Functions}, {@code EXTRACT(unit FROM timestamp)}
 * </ul>
 *
 * <p>Numbers: a whole and a floating-point operand are compared as float64; a decimal literal
 * without a fraction counts as whole where the other operands are whole; literals beside a float32
 * column are rounded to float32, unless they are beyond its range. What is computed is int64 or
 * float64.
 */
public final class FilterCompiler {
  private final FilterLimits limits;

  /** Creates a compiler with those limits. */
  public FilterCompiler(FilterLimits limits) {
    this.limits = limits;
  }

  /**
   * Compiles a filter.
   *
   * @throws InvalidRequestException if it is not one, is over a limit or does not fit the schema;
   *     the message names the place and says what is allowed
   */
  public RenderedFilter compile(String text, StoreSchema schema) {
    Source source = new Source(text);
    Map<String, ValueType> columns = new HashMap<>();
    schema.columns().forEach(column -> columns.put(column.name(), ValueType.of(column.type())));
    List<Token> tokens = Lexer.tokens(source, limits, columns::containsKey);
    Resolver resolver = new Resolver(source, tokens, columns);
    Expr condition = resolver.condition(Grammar.parse(tokens, source));
    TreeSet<String> used = new TreeSet<>();
    return new RenderedFilter(new Renderer(used).render(condition), used);
  }
}
