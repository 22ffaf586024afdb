package dev.weighlock.query.engine;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the operators of a statement did, as its engine counted them: a tree in the order "parent, then its inputs".
 *
 * @param operators the first of them, so many as are kept
 * @param omitted how many more there were
 */
public record StatementProfile(List<Operator> operators, int omitted) {
    public StatementProfile {
        operators = List.copyOf(operators);
    }

    /**
     * One operator. A figure that the engine does not give is null.
     *
     * @param depth 0 for the one that gives the result; an input is one deeper than what it feeds
     * @param name in the engine's words
     * @param detail the table, function or kind of join; never a value of the statement
     * @param rows handed on
     * @param time of all threads together, inputs not included
     * @param bytes handed on; engines that know no memory of single operators give only this
     */
    public record Operator(
            int depth,
            String name,
            @Nullable String detail,
            @Nullable Long rows,
            @Nullable Duration time,
            @Nullable Long bytes) {}
}
