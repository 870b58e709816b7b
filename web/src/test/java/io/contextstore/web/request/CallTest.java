package io.contextstore.web.request;

import static org.assertj.core.api.Assertions.assertThat;

import io.contextstore.web.GenericStoresResource;
import io.contextstore.web.PlannedResource;
import java.lang.reflect.Method;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

final class CallTest {
  private static Method method(Class<?> resource, String name) {
    return Arrays.stream(resource.getDeclaredMethods())
        .filter(method -> method.getName().equals(name))
        .findFirst()
        .orElseThrow();
  }

  private static Call call(String name) {
    return Call.of(method(GenericStoresResource.class, name)).orElseThrow();
  }

  @Test
  void knowsTheQueryParameters() {
    assertThat(call("rows").single())
        .containsExactlyInAnyOrder("limit", "offset", "filter", "order", "after");
    assertThat(call("rows").repeatable()).containsExactly("columns");
    assertThat(call("describe").single()).isEmpty();
  }

  @Test
  void knowsTheBodies() {
    assertThat(call("append").body()).isEqualTo(Call.Body.ROWS);
    assertThat(call("create").body()).isEqualTo(Call.Body.OBJECT);
    assertThat(call("getRows").body()).isEqualTo(Call.Body.OBJECT);
    assertThat(call("rows").body()).isEqualTo(Call.Body.NONE);
    assertThat(call("flush").body()).isEqualTo(Call.Body.NONE);
    assertThat(Call.Body.ROWS.limit()).isEqualTo(1L << 30);
    assertThat(Call.Body.OBJECT.limit()).isEqualTo(2L << 20);
  }

  @Test
  void knowsNoCallOutsideTheContract() {
    assertThat(Call.of(method(PlannedResource.class, "count"))).isEmpty();
  }
}
