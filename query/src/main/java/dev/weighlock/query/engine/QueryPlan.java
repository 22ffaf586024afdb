package dev.weighlock.query.engine;

import java.util.List;

/**
 * What parsing alone shows of a statement.
 *
 * @param kind of the first statement
 * @param statements how many the text holds
 * @param tables names the statement reads, as written, in order, each once; files named as tables too
 * @param functions table functions the statement calls, each once
 */
public record QueryPlan(StatementKind kind, int statements, List<String> tables, List<String> functions) {
    public QueryPlan {
        tables = List.copyOf(tables);
        functions = List.copyOf(functions);
    }

    /** Whether the text is one statement that only reads. */
    public boolean isOneQuery() {
        return kind == StatementKind.QUERY && statements == 1;
    }
}
