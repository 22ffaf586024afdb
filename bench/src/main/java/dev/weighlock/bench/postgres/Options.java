package dev.weighlock.bench.postgres;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;

/** Which workloads to run, and their sizes: words such as {@code b1} and {@code items=1000000}. */
record Options(List<String> workloads, Map<String, Integer> sizes) {
    /** As a whole a few minutes on a machine that is not busy. */
    private static final Map<String, Integer> DEFAULTS = Map.of(
            "pairs",
            3,
            "jobs",
            60,
            "items",
            200_000,
            "chunk",
            1_000,
            "rows",
            10_000,
            "partitions",
            1_000,
            "writes",
            100,
            "left",
            10_000,
            "stored",
            100_000);

    static Options of(List<String> known, String... words) {
        Map<String, Integer> sizes = new LinkedHashMap<>(DEFAULTS);
        for (String word : words) {
            int equals = word.indexOf('=');
            String key = equals < 0 ? word : word.substring(0, equals);
            boolean right = equals < 0 ? known.contains(key.toLowerCase(Locale.ROOT)) : DEFAULTS.containsKey(key);
            if (!right) {
                throw new IllegalArgumentException(
                        word + " is neither one of " + known + " nor a size: " + DEFAULTS.keySet());
            }
            if (equals >= 0) {
                sizes.put(key, Integer.parseInt(word.substring(equals + 1)));
            }
        }
        List<String> chosen = Stream.of(words)
                .map(word -> word.toLowerCase(Locale.ROOT))
                .filter(known::contains)
                .toList();
        return new Options(chosen.isEmpty() ? known : chosen, sizes);
    }

    int size(String name) {
        Integer size = sizes.get(name);
        if (size == null) {
            throw new IllegalArgumentException("no size " + name);
        }
        return size;
    }
}
