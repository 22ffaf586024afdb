package dev.weighlock.query.engine;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One planned query with its values.
 *
 * @param sql as {@link QueryPlan#sql}
 * @param values of the marks, the first being {@code $1}; their classes are those of {@link EngineStatement}
 */
public record PlannedStatement(String sql, List<@Nullable Object> values) {
    public PlannedStatement {
        values = Collections.unmodifiableList(new ArrayList<>(values));
    }
}
