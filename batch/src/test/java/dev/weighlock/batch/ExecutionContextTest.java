package dev.weighlock.batch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigDecimal;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ExecutionContextTest {
    @Test
    void json_everyType_comesBackEqualInValueAndType() {
        var values = new LinkedHashMap<String, @Nullable Object>();
        values.put("int", 5);
        values.put("long", 5L);
        values.put("beyond double", (1L << 53) + 1);
        values.put("least", Long.MIN_VALUE);
        values.put("decimal", new BigDecimal("0.10"));
        values.put("double", 0.1);
        values.put("nan", Double.NaN);
        values.put("minus zero", -0.0);
        values.put("instant", Instant.parse("2026-11-30T10:15:30.123456789Z"));
        values.put("true", true);
        values.put("text", "a\"b\\c\n\u0000\uD83D\uDE00");
        values.put("empty text", "");
        values.put("empty map", Map.of());
        values.put("empty list", List.of());
        values.put("null", null);
        values.put("", "an empty key");
        values.put("nested", Map.of("list", Arrays.asList(1, 1L, null, Map.of("long", 7L)), "map", "a value"));
        var context = ExecutionContext.of(values);

        var back = ExecutionContext.fromJson(context.toJson());

        assertThat(back).isEqualTo(context);
        assertThat(new ArrayList<>(back.asMap().keySet())).isEqualTo(new ArrayList<>(values.keySet()));
        assertThat(back.asMap().get("int")).isInstanceOf(Integer.class);
        assertThat(back.asMap().get("long")).isInstanceOf(Long.class);
        assertThat(back.asMap().get("decimal")).hasToString("0.10");
    }

    @Test
    void json_empty_comesBackEmpty() {
        assertThat(ExecutionContext.fromJson(ExecutionContext.EMPTY.toJson())).isEqualTo(ExecutionContext.EMPTY);
    }

    @Test
    void json_ofAnotherVersionOrShape_isRefusedNamingIt() {
        assertThatThrownBy(() -> ExecutionContext.fromJson("{\"format\":2,\"values\":{}}"))
                .isInstanceOfSatisfying(
                        BatchException.class, e -> assertThat(e.error()).isEqualTo(BatchError.UNKNOWN_FORMAT))
                .hasMessageContaining("format 2");
        assertThatThrownBy(() -> ExecutionContext.fromJson("{\"format\":1,\"values\":{\"a\":{\"uuid\":\"x\"}}}"))
                .hasMessageContaining("\"uuid\"");
        assertThatThrownBy(() -> ExecutionContext.fromJson("nonsense")).isInstanceOf(BatchException.class);
    }

    @Test
    void stored_thatCannotBeRead_isKeptAsItIsAndNamesItsKeyToWhoeverAsks() {
        var json = "{\"format\":1,\"values\":{\"since\":{\"uuid\":\"x\"}}}";

        var stored = ExecutionContext.stored(json);

        assertThat(stored.toJson()).isEqualTo(json);
        assertThat(stored).isNotEqualTo(ExecutionContext.EMPTY);
        assertThat(stored.toString()).contains("/since");
        assertThatThrownBy(() -> stored.longValue("other", 0))
                .isInstanceOfSatisfying(
                        BatchException.class, e -> assertThat(e.error()).isEqualTo(BatchError.UNKNOWN_FORMAT))
                .hasMessageContaining("/since");
        assertThatThrownBy(() -> stored.with("other", 1)).hasMessageContaining("/since");
    }

    @Test
    void of_valuesChangedAfterwards_keepsWhatTheyWere() {
        var list = new ArrayList<Object>(List.of(1));
        var map = new LinkedHashMap<String, Object>(Map.of("inner", list));
        var context = ExecutionContext.of(Map.of("outer", map));

        list.add(2);
        map.put("more", 3);

        assertThat(context.asMap()).isEqualTo(Map.of("outer", Map.of("inner", List.of(1))));
    }

    @Test
    void value_ofAnotherTypeOrTooDeep_isRefused() {
        assertThatThrownBy(() -> ExecutionContext.of(Map.of("a", new Object()))).hasMessageContaining("/a");
        Object deep = "bottom";
        for (int i = 0; i < 20; i++) {
            deep = List.of(deep);
        }
        var tooDeep = deep;
        assertThatThrownBy(() -> ExecutionContext.of(Map.of("a", tooDeep)))
                .isInstanceOfSatisfying(
                        BatchException.class, e -> assertThat(e.error()).isEqualTo(BatchError.TOO_LARGE));
    }

    @Test
    void longValue_ofStoredDouble_isRefusedNotRounded() {
        var context = ExecutionContext.EMPTY.with("n", 1.0);

        assertThatThrownBy(() -> context.longValue("n", 0)).hasMessageContaining("Double");
        assertThat(ExecutionContext.EMPTY.with("n", 3).longValue("n", 0)).isEqualTo(3);
    }
}
