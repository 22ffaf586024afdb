package dev.weighlock.jobs.source;

import dev.weighlock.batch.FailureCategory;
import dev.weighlock.jobs.StepFailure;
import dev.weighlock.jobs.file.SourceKeys;
import dev.weighlock.jobs.sql.SqlTemplate;
import dev.weighlock.jobs.value.StepValues;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A statement for a database, with the values of its positions.
 *
 * @param orderBy columns of the result that order it, each row different in them; may be empty
 * @param fetch rows a round trip
 */
record SourceStatement(String sql, List<@Nullable Object> values, List<String> orderBy, int fetch) {
    private static final int FETCH = 2_000;

    SourceStatement {
        values = Collections.unmodifiableList(new ArrayList<>(values));
        orderBy = List.copyOf(orderBy);
    }

    static SourceStatement of(SourceKeys keys, StepValues values) {
        try {
            SqlTemplate.JdbcSql jdbc = keys.sql().template().forJdbc(values::identifier);
            List<@Nullable Object> bound = new ArrayList<>();
            for (String name : jdbc.names()) {
                bound.add(values.value(name));
            }
            return new SourceStatement(
                    ordered(jdbc.sql(), keys.orderBy()),
                    bound,
                    keys.orderBy(),
                    keys.fetch().orElse(FETCH));
        } catch (IllegalArgumentException unchecked) {
            throw new StepFailure(FailureCategory.STEP_FAILED, String.valueOf(unchecked.getMessage()), unchecked);
        }
    }

    private static String ordered(String sql, List<String> orderBy) {
        String plain = sql.stripTrailing();
        while (plain.endsWith(";")) {
            plain = plain.substring(0, plain.length() - 1).stripTrailing();
        }
        if (orderBy.isEmpty()) {
            return plain;
        }
        String columns = orderBy.stream()
                .map(column -> '"' + column.replace("\"", "\"\"") + '"')
                .collect(Collectors.joining(", "));
        // The line end keeps a comment at the end of the text from swallowing the bracket.
        return "SELECT * FROM (\n" + plain + "\n) AS weighlock_source ORDER BY " + columns;
    }
}
