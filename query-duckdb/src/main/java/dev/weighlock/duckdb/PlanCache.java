package dev.weighlock.duckdb;

import dev.weighlock.query.engine.PlanRequest;
import dev.weighlock.query.engine.QueryPlan;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The plans used last: a plan is a function of its text and base directory alone. Thread-safe; {@code this} guards the
 * map. Long texts are not kept, so that it never holds more than a few MiB.
 */
final class PlanCache {
    private static final int MAX_PLANS = 256;
    private static final int MAX_CHARS = 4096;

    private record Key(String sql, @Nullable Path baseDirectory) {}

    private final Map<Key, QueryPlan> plans = new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Key, QueryPlan> eldest) {
            return size() > MAX_PLANS;
        }
    };

    synchronized Optional<QueryPlan> find(PlanRequest request) {
        return Optional.ofNullable(plans.get(new Key(request.sql(), request.baseDirectory())));
    }

    synchronized QueryPlan keep(PlanRequest request, QueryPlan plan) {
        if (request.sql().length() <= MAX_CHARS) {
            plans.put(new Key(request.sql(), request.baseDirectory()), plan);
        }
        return plan;
    }
}
