package io.contextstore.filter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.contextstore.api.error.InvalidRequestException;
import io.contextstore.api.schema.Column;
import io.contextstore.api.schema.ColumnType;
import io.contextstore.api.schema.StoreSchema;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FilterCompilerTest {
  private static final FilterCompiler COMPILER = new FilterCompiler(FilterLimits.DEFAULT);

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '\u0001',
      textBlock =
          """
          s = 'it''s 😀'                  | (`s` = CAST(X'6974277320f09f9880' AS STRING))
          "s" = 'x' AND `n` > -5          | ((`s` = CAST(X'78' AS STRING)) AND (`n` > -5))
          b                               | `b`
          (((b)))                         | `b`
          NOT b AND b OR b                | (((NOT `b`) AND `b`) OR `b`)
          b = (n = 5)                     | (`b` = CAST((`n` = 5) AS BOOLEAN))
          i > n + 5000000000              | (`i` > CAST((`n` + 5000000000) AS BIGINT))
          NOT n = 5                       | (NOT (`n` = 5))
          b OR b AND (b OR b OR b)        | (`b` OR (`b` AND (`b` OR `b` OR `b`)))
          n - 1 - 2 * 3 % 4 = 5           | ((`n` - 1 - (2 * 3 % 4)) = 5)
          n - (1 - 2) = 5                 | ((`n` - (1 - 2)) = 5)
          n = 5.0                         | (`n` = 5)
          n > 5.5                         | (CAST(`n` AS DOUBLE) > 5.5)
          n < 1e30                        | (CAST(`n` AS DOUBLE) < 1.0E30)
          i = 2147483648                  | (CAST(`i` AS BIGINT) = 2147483648)
          i IN (1, 2147483648)            | (CAST(`i` AS BIGINT) IN (1, 2147483648))
          i = 2147483647                  | (`i` = 2147483647)
          f = 0.1                         | (`f` = 0.1)
          f < 1e300                       | (CAST(`f` AS DOUBLE) < 1.0E300)
          d = 5                           | (`d` = 5.0)
          n = d                           | (CAST(`n` AS DOUBLE) = `d`)
          n = - 9223372036854775808       | (`n` = CAST('-9223372036854775808' AS BIGINT))
          n - -5 = -n                     | ((`n` - -5) = (- `n`))
          n IN (1, NULL)                  | (`n` IN (1, CAST(NULL AS BIGINT)))
          n NOT BETWEEN 1 AND 2           | (`n` NOT BETWEEN 1 AND 2)
          b IS NOT TRUE                   | (`b` IS NOT TRUE)
          NULL                            | CAST(NULL AS BOOLEAN)
          ts > 1700000000000000           | (`ts` > to_timestamp_micros(1700000000000000))
          ts = '1970-01-01T01:00:00.000001+01:00' | (`ts` = to_timestamp_micros(1))
          timestamp '1969-12-31T23:59:59.9Z' < ts | (to_timestamp_micros(-100000) < `ts`)
          CAST(ts AS BIGINT) = 5          | (CAST(`ts` AS BIGINT) = 5)
          CAST(n AS TIMESTAMP) = ts       | (to_timestamp_micros(`n`) = `ts`)
          EXTRACT(year FROM ts) = 2023    | (CAST(date_part('year', `ts`) AS BIGINT) = 2023)
          s LIKE 'a\\%'                   | (`s` LIKE CAST(X'615c25' AS STRING))
          s NOT ILIKE 'a!%!!\\' ESCAPE '!'| (`s` NOT ILIKE CAST(X'615c25215c5c' AS STRING))
          bin = x'00FF'                   | (`bin` = X'00ff')
          array_has(li32, 4)              | array_has(`li32`, CAST(4 AS INT))
          array_contains(lf, 4)           | array_has(`lf`, 4.0)
          array_has_any(lf, [4, 5.5])     | array_has_any(`lf`, make_array(4.0, 5.5))
          array_has_all(li32, make_array(1, 2.0)) | array_has_all(`li32`, make_array(CAST(1 AS INT), CAST(2 AS INT)))
          array_has_any(lf32, [1, 2.5])   | array_has_any(`lf32`, make_array(CAST(1.0 AS FLOAT), CAST(2.5 AS FLOAT)))
          array_has_any(lts, [5])         | array_has_any(`lts`, make_array(to_timestamp_micros(5)))
          i + n * f > -i                  | ((CAST(`i` AS DOUBLE) + (CAST(`n` AS DOUBLE) * CAST(`f` AS DOUBLE))) > CAST((- CAST(`i` AS BIGINT)) AS DOUBLE))
          coalesce(i, n) = nullif(i, 1)   | (coalesce(CAST(`i` AS BIGINT), `n`) = nullif(CAST(`i` AS BIGINT), 1))
          length(s) = array_length(li)    | (CAST(character_length(`s`) AS BIGINT) = CAST(array_length(`li`) AS BIGINT))
          floor(n) = 1                    | (`floor`(CAST(`n` AS DOUBLE)) = 1.0)
          SubStr(s, 2) = 'a'              | (CAST(`substr`(`s`, 2) AS STRING) = CAST(X'61' AS STRING))
          coalesce(i, 2.5) > 1            | (coalesce(CAST(`i` AS DOUBLE), 2.5) > 1.0)
          "with space" = 1                | (`with space` = 1)
          "quote""d" = 1                  | (`quote"d` = 1)
          "a;b" = 1 OR `a--b` = 1         | ((`a;b` = 1) OR (`a--b` = 1))
          select = 1                      | (`select` = 1)
          'casex' = 'CASEX' OR casex      | ((CAST(X'6361736578' AS STRING) = CAST(X'4341534558' AS STRING)) OR `casex`)
          """)
  void rendersFromItsOwnTree(String filter, String sql) {
    assertThat(COMPILER.compile(filter, SampleTable.SCHEMA).sql()).isEqualTo(sql);
  }

  @Test
  void knowsItsColumns() {
    assertThat(COMPILER.compile("n > 5 OR lower(s) = 'x' AND n < i", SampleTable.SCHEMA).columns())
        .containsExactlyInAnyOrder("n", "s", "i");
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '\u0001',
      textBlock =
          """
          b; DROP                      | column 2: ';' is not allowed
          b -- x                       | column 3: comments are not allowed
          b /* x */                    | column 3: comments are not allowed
          n + (SELECT 1)               | column 6: sub-queries are not allowed
          EXISTS (SELECT 1)            | column 1: sub-queries are not allowed
          n IN (SELECT n FROM t)       | column 7: sub-queries are not allowed
          n = 1 UNION ALL n = 1        | column 7
          nosuch = 1                   | column 1: unknown column 'nosuch'
          N = 1                        | column 1: unknown column 'N'; did you mean 'n'
          "ID" = 'r1'                  | column 1: unknown column 'ID'; did you mean 'id'
          _rowid = 1                   | column 1: '_rowid' is not a column of this store
          n = 1 OR "_rowaddr" = 1      | column 10: '_rowaddr' is not a column of this store
          t.n = 1                      | column 2: '.' is not allowed between names
          n = ?                        | column 5: '?' is not allowed
          n = :x                       | column 5: ':' is not allowed
          n = @x                       | column 5: '@' is not allowed
          n = $1                       | column 5: '$' is not allowed
          s = "x                       | column 5: the closing " is missing
          s = 'x                       | column 5: the closing ' is missing
          `n = 1                       | column 1: the closing ` is missing
          "" = 1                       | column 1: a name in quotes must not be empty
          count(*) > 1                 | column 8: an operand is missing after '*'
          count(n) > 1                 | column 1: there is no function 'count'
          sum(n) OVER () > 1           | column 8: 'OVER' is not allowed
          lower(DISTINCT s) = 'x'      | column 7: 'DISTINCT' is not allowed
          repeat(s, 1000) = s          | column 1: there is no function 'repeat'
          now() > ts                   | column 1: there is no function 'now'
          `lower`(s) = 'x'             | column 1: the name of a function stands without quotes
          CASE WHEN b THEN b END       | column 1: 'CASE' is not allowed
          lower(s)(n) = 'x'            | column 10: 'n' does not fit here
          lower(s) n = 'x'             | column 10
          n (+) = 5                    | column 5: an operand is missing
          n[1] = 5                     | column 1
          n < = 5                      | column 5
          n = 1 = 2                    | column 7: '=' does not fit here
          (1, 2) = (3, 4)              | column 2
          n IN ()                      | column 1: IN expects a list
          n IN 5                       | column 1: IN expects a list
          n IN (1, 's')                | column 10: IN cannot mix int64 and string
          n = 's'                      | column 5: '=' cannot mix int64 and string; write numbers without quotes
          s = 5                        | column 5: '=' cannot mix string and int64; write text in single quotes
          b = 1                        | column 5: '=' cannot mix bool and int64
          bin = 'x'                    | column 7: '=' cannot mix binary and string; write bytes as X'00ff'
          bin = X'0'                   | column 7: X'…' holds an even number
          ts > n                       | column 6: '>' expects timestamp, this is int64; to_timestamp_micros
          ts = 'yesterday'             | column 6: 'yesterday' is not a timestamp
          ts = '2026-02-30T00:00:00Z'  | column 6
          ts = '2026-01-01T00:00:00'   | column 6
          ts + 1 > 5                   | column 1: arithmetic expects numbers, this is timestamp
          s + 1 > 5                    | column 1: arithmetic expects numbers, this is string
          s LIKE lower(s)              | column 8: the pattern of LIKE is a literal
          n LIKE 'a'                   | column 1: LIKE expects string, this is int64
          s LIKE 'a!' ESCAPE '!'       | column 20: the pattern ends with its escape character
          s LIKE 'a' ESCAPE 'ab'       | column 19: ESCAPE expects one character
          regexp_like(s, ls)           | column 16: the pattern is a literal
          NOT n                        | column 5: NOT expects bool, this is int64
          n AND b                      | column 1: AND expects bool, this is int64
          b OR s                       | column 6: OR expects bool, this is string
          n                            | column 1: a filter expects bool, this is int64
          n / 0 = 1                    | column 5: division by zero
          n % (0) = 1                  | column 6: division by zero
          n = 9223372036854775808      | column 5: '9223372036854775808' is out of range
          d = 1e400                    | column 5: '1e400' is out of the range of float64
          d = NaN                      | column 5: unknown column 'NaN'
          d = 1.2.3                    | column 5: '1.2.' is not a number
          n = 0x10                     | column 5: '0x' is not a number
          n = 5abc                     | column 5: '5a' is not a number
          blob = X'00'                 | column 1: a blob cannot be used here
          v = 1                        | column 1: a vector cannot be used here
          li = [1]                     | column 1: a list of int64 cannot be used here
          array_has(li, 4.5)           | column 15: array_has expects int64
          array_has(li32, 2147483648)  | column 17: 2147483648 is out of the range of int32
          array_has(v, 1.0)            | column 11: array_has expects a list column
          array_has_any(li, [n])       | column 20: a list is made of literals
          array_has_any(li, [])        | column
          array_has_any(li, li32)      | column 19: array_has_any expects a list of int64
          array_length([1, 2.5]) = 2   | array_length expects a list column
          CAST(n AS BLOB) = 5          | column 11: there is no type 'BLOB'
          CAST(ts AS STRING) = 'x'     | column 6: a timestamp cannot be cast to string
          date_trunc('eon', ts) = 5    | column 12: 'eon' is not a unit of time
          lower(s, s) = 'x'            | column 1: lower expects 1 argument
          n = 1 AND                    | the filter ends too early
          (n = 5                       | column 7: ')' is missing
          n = 5)                       | column 6: ')' has no opening counterpart
          n = [5)                      | column 7: ')' has no opening counterpart
          n, i                         | column 2: ',' is only allowed inside
          s = $$x$$                    | column 5: '$' is not allowed
          CAST                         | column 1: this is not allowed in a filter
          b AND EXTRACT                | column
          s = E'x'                     | column 6: 'x' does not fit here
          """)
  void refusesWithThePlace(String filter, String message) {
    assertThatThrownBy(() -> COMPILER.compile(filter, SampleTable.SCHEMA))
        .isInstanceOf(InvalidRequestException.class)
        .hasMessageStartingWith("filter, line 1, ")
        .hasMessageContaining(message);
  }

  @Test
  void refusesWhatIsNoCharacterAlsoInQuotes() {
    assertThatThrownBy(() -> COMPILER.compile("s = 'a\0b'", SampleTable.SCHEMA))
        .hasMessage("filter, line 1, column 7: the character U+0000 is not allowed");
    assertThatThrownBy(() -> COMPILER.compile("s = 'a\uD83Db'", SampleTable.SCHEMA))
        .hasMessage("filter, line 1, column 7: a lone surrogate is not a character");
    assertThatThrownBy(() -> COMPILER.compile("s = 'a\uDE00'", SampleTable.SCHEMA))
        .hasMessage("filter, line 1, column 7: a lone surrogate is not a character");
  }

  @Test
  void countsLinesAndCharacters() {
    assertThatThrownBy(() -> COMPILER.compile("n = 5 AND\n s = '😀😀' AND ;", SampleTable.SCHEMA))
        .hasMessageStartingWith("filter, line 2, column 15: ");
  }

  @Test
  void aWordThatIsRefusedMayBeAColumn() {
    StoreSchema schema =
        new StoreSchema(
            List.of(
                new Column("id", new ColumnType.Text(false), false),
                new Column("case", new ColumnType.Int64(), true),
                new Column("left", new ColumnType.Text(false), true)));
    assertThat(COMPILER.compile("case = 1 AND left(left, 1) = 'x'", schema).sql())
        .isEqualTo("((`case` = 1) AND (left(`left`, 1) = CAST(X'78' AS STRING)))");
  }

  @Test
  void nothingCanCloseTheQuotesOfAName() {
    assertThatThrownBy(() -> SqlText.column("a` OR `b"))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> COMPILER.compile("`n`` OR ``n` = 1", SampleTable.SCHEMA))
        .hasMessageContaining("unknown column 'n` OR `n'");
  }
}
