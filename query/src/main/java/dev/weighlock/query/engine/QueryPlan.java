package dev.weighlock.query.engine;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What parsing alone shows of a statement.
 *
 * @param kind of the first statement
 * @param statements how many the text holds
 * @param tables names the statement reads, as written, in order, each once; files named as tables too
 * @param functions table functions the statement calls, each once
 * @param sql the text as the engine will run it: numbered marks for values, absolute paths for files
 * @param names of the values, in the order of their marks
 */
public record QueryPlan(
        StatementKind kind,
        int statements,
        List<String> tables,
        List<String> functions,
        String sql,
        List<String> names) {
    public QueryPlan {
        tables = List.copyOf(tables);
        functions = List.copyOf(functions);
        names = List.copyOf(names);
    }

    /** Whether the text is one statement that only reads. */
    public boolean isOneQuery() {
        return kind == StatementKind.QUERY && statements == 1;
    }

    /** The names that {@code values} lacks, in the order of the text. */
    public List<String> missing(Map<String, @Nullable Object> values) {
        return names.stream().filter(name -> !values.containsKey(name)).toList();
    }

    /** The statement to run. */
    public PlannedStatement bind(Map<String, @Nullable Object> values) {
        return new PlannedStatement(
                sql, names.stream().<@Nullable Object>map(values::get).toList());
    }
}
