package dev.weighlock.app.view;

import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/**
 * What a step or partition recorded about itself: sealed reports of its queries and previews of results.
 *
 * @param label the step, or the step and partition
 * @param document the JSON as maps and lists; the text itself where it is none
 */
record Evidence(String label, @Nullable Object document) {
    /** Made when first needed: commands that show no evidence do not pay for it. */
    private static final class Mapper {
        static final JsonMapper JSON = new JsonMapper();
    }

    static Evidence parse(String label, String json) {
        try {
            return new Evidence(label, Mapper.JSON.readValue(json, Object.class));
        } catch (JacksonException unreadable) {
            return new Evidence(label, json);
        }
    }

    /** The accounts of every query report in the document, in its order. */
    List<QueryAccount> queries() {
        return reports(document)
                .map(report -> QueryAccount.ofReport(label, report))
                .toList();
    }

    private static Stream<Map<?, ?>> reports(@Nullable Object node) {
        return switch (node) {
            case Map<?, ?> map when map.containsKey("attempt_id") && map.containsKey("outcome") -> Stream.of(map);
            case Map<?, ?> map -> map.values().stream().flatMap(Evidence::reports);
            case List<?> list -> list.stream().flatMap(Evidence::reports);
            case null, default -> Stream.empty();
        };
    }
}
