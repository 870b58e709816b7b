package io.contextstore.web.request;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.contextstore.api.NewStore;
import io.contextstore.api.RowKey;
import io.contextstore.api.RowsRequest;
import io.contextstore.api.error.InvalidRequestException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class BodyReadersTest {
  private static final String SCHEMA =
      "\"schema\":{\"columns\":[[\"id\",{\"type\":\"string\",\"nullable\":false}]]}";

  private static InputStream body(String text) {
    return new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8));
  }

  @Test
  void aNewStore() throws IOException {
    NewStore store =
        NewStoreReader.read(
            body(
                "{\"seal_on_add\":true,\"storage_options\":{\"k\":\"v\"},"
                    + SCHEMA
                    + ",\"name\":\"s\"}"));
    assertThat(store.name().value()).isEqualTo("s");
    assertThat(store.schema().columns()).hasSize(1);
    assertThat(store.storageOptions()).isEqualTo(Map.of("k", "v"));
    assertThat(store.sealOnAdd()).isTrue();
  }

  @Test
  void aNewStoreWithoutOptions() throws IOException {
    for (String options : new String[] {"", ",\"storage_options\":null,\"seal_on_add\":null"}) {
      NewStore store = NewStoreReader.read(body("{\"name\":\"s\"," + SCHEMA + options + "}"));
      assertThat(store.storageOptions()).isEmpty();
      assertThat(store.sealOnAdd()).isFalse();
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{} | 'name'",
        "{\"name\":null} | 'name'",
        "{\"name\":1} | 'name'",
        "{\"name\":\"s\"} | 'schema'",
        "{\"name\":\"s\",\"schema\":1} | schema",
        "{\"name\":\"s\",\"schem\":{}} | 'schem'",
        "{\"name\":\"s\",SCHEMA,\"seal_on_add\":\"true\"} | 'seal_on_add'",
        "{\"name\":\"s\",SCHEMA,\"storage_options\":[]} | 'storage_options'",
        "{\"name\":\"s\",SCHEMA,\"storage_options\":{\"secret\":1}} | 'storage_options.secret'"
      })
  void aBadNewStore(String text, String word) {
    assertThatThrownBy(() -> NewStoreReader.read(body(text.replace("SCHEMA", SCHEMA))))
        .isInstanceOf(InvalidRequestException.class)
        .hasMessageContaining(word);
  }

  @Test
  void aRowsRequest() throws IOException {
    RowsRequest request =
        RowsRequestReader.read(body("{\"ids\":[\"b\",\"a\",\"b\"],\"columns\":[\"n\",\"a,b\"]}"));
    assertThat(request.keys()).containsExactly(RowKey.of("b"), RowKey.of("a"), RowKey.of("b"));
    assertThat(request.columns()).containsExactly("n", "a,b");
    assertThat(RowsRequestReader.read(body("{\"ids\":[],\"columns\":null}")).columns()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{} | 'ids'",
        "{\"ids\":null} | 'ids'",
        "{\"ids\":\"a\"} | 'ids'",
        "{\"ids\":[\"a\",1]} | ids[1]",
        "{\"ids\":[\"a\",\"\"]} | ids[1]",
        "{\"ids\":[\"\\u0000\"]} | ids[0]",
        "{\"ids\":[\"\\ud800\"]} | ids[0]",
        "{\"ids\":[],\"columns\":\"n\"} | 'columns'",
        "{\"ids\":[],\"columns\":[\"\"]} | 'columns'",
        "{\"ids\":[],\"columns\":[\"n\",\"n\"]} | 'n'",
        "{\"ids\":[],\"cols\":[]} | 'cols'"
      })
  void aBadRowsRequest(String text, String word) {
    assertThatThrownBy(() -> RowsRequestReader.read(body(text)))
        .isInstanceOf(InvalidRequestException.class)
        .hasMessageContaining(word);
  }

  @Test
  void tooManyIds() {
    String ids = IntStream.rangeClosed(0, 1024).mapToObj(i -> "\"" + i + "\"").toList().toString();
    assertThatThrownBy(() -> RowsRequestReader.read(body("{\"ids\":" + ids + "}")))
        .isInstanceOf(InvalidRequestException.class)
        .hasMessageContaining("1024");
  }
}
