package dev.weighlock.jobs.file;

import java.util.List;
import java.util.OptionalInt;

/** A source step: a database's rows as a file. */
public record SourceKeys(
        String connection, SqlSource sql, List<String> orderBy, OutputKeys output, OptionalInt fetch, Budget budget)
        implements StepWork {
    public SourceKeys {
        orderBy = List.copyOf(orderBy);
    }
}
