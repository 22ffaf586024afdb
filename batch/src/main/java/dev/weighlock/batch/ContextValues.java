package dev.weighlock.batch;

import java.math.BigDecimal;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The closed set of types that a context holds, and the deep copy that keeps it immutable. */
final class ContextValues {
    static final int MAX_DEPTH = 16;

    private ContextValues() {}

    static Map<String, @Nullable Object> copy(Map<String, ? extends @Nullable Object> values) {
        return copyMap("", values, 1);
    }

    private static Map<String, @Nullable Object> copyMap(
            String path, Map<?, ? extends @Nullable Object> values, int depth) {
        checkDepth(path, depth);
        var copy = new LinkedHashMap<String, @Nullable Object>();
        for (Map.Entry<?, ? extends @Nullable Object> entry : values.entrySet()) {
            if (!(entry.getKey() instanceof String key)) {
                throw new BatchException(BatchError.INVALID_DEFINITION, "context keys must be strings, at " + path);
            }
            copy.put(key, copyValue(path + "/" + key, entry.getValue(), depth));
        }
        return Collections.unmodifiableMap(copy);
    }

    private static @Nullable Object copyValue(String path, @Nullable Object value, int depth) {
        return switch (value) {
            case null -> null;
            case Boolean b -> b;
            case Integer i -> i;
            case Long l -> l;
            case Double d -> d;
            case BigDecimal d -> d;
            case String s -> s;
            case Instant i -> i;
            case List<?> list -> copyList(path, list, depth + 1);
            case Map<?, ?> map -> copyMap(path, map, depth + 1);
            default ->
                throw new BatchException(
                        BatchError.INVALID_DEFINITION,
                        "a context cannot hold a " + value.getClass().getName() + ", at " + path);
        };
    }

    private static List<@Nullable Object> copyList(String path, List<?> list, int depth) {
        checkDepth(path, depth);
        var copy = new ArrayList<@Nullable Object>(list.size());
        for (int i = 0; i < list.size(); i++) {
            copy.add(copyValue(path + "/" + i, list.get(i), depth));
        }
        return Collections.unmodifiableList(copy);
    }

    private static void checkDepth(String path, int depth) {
        if (depth > MAX_DEPTH) {
            throw new BatchException(BatchError.TOO_LARGE, "a context is nested deeper than 16, at " + path);
        }
    }

    static long exactLong(String key, Number number) {
        if (number instanceof Long || number instanceof Integer) {
            return number.longValue();
        }
        throw new BatchException(
                BatchError.UNKNOWN_FORMAT,
                "the context value \"" + key + "\" is a " + number.getClass().getSimpleName() + ", not a long");
    }
}
