package io.contextstore.filter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.contextstore.api.RowKey;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class KeyFiltersTest {
  private static final RowKey A = RowKey.of("a'b");
  private static final RowKey SNOW = RowKey.of("雪😀");

  @Test
  void spellsKeysInHexadecimal() {
    assertThat(KeyFilters.eq(SNOW)).isEqualTo(filter("(`id` = CAST(X'e99baaf09f9880' AS STRING))"));
    assertThat(KeyFilters.in(List.of(A, SNOW)))
        .isEqualTo(
            filter("(`id` IN (CAST(X'612762' AS STRING), CAST(X'e99baaf09f9880' AS STRING)))"));
    assertThat(KeyFilters.after(A)).isEqualTo(filter("(`id` > CAST(X'612762' AS STRING))"));
    assertThat(KeyFilters.range(A, SNOW))
        .isEqualTo(
            filter(
                "(`id` > CAST(X'612762' AS STRING) AND"
                    + " `id` <= CAST(X'e99baaf09f9880' AS STRING))"));
  }

  @Test
  void joinsFiltersAndTheirColumns() {
    assertThat(KeyFilters.and(new RenderedFilter("`n`", Set.of("n")), KeyFilters.eq(A)))
        .isEqualTo(
            new RenderedFilter("(`n` AND (`id` = CAST(X'612762' AS STRING)))", Set.of("n", "id")));
  }

  @Test
  void takesAtMost64Keys() {
    assertThat(KeyFilters.in(Collections.nCopies(64, A)).sql()).isNotEmpty();
    assertThatThrownBy(() -> KeyFilters.in(Collections.nCopies(65, A)))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> KeyFilters.in(List.of())).isInstanceOf(IllegalArgumentException.class);
  }

  private static RenderedFilter filter(String sql) {
    return new RenderedFilter(sql, Set.of("id"));
  }
}
