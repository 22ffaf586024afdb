package dev.weighlock.jobs.compile;

import dev.weighlock.jobs.file.OutputKeys;
import dev.weighlock.jobs.file.SourceKeys;
import dev.weighlock.jobs.file.SqlSource;
import java.time.Duration;
import java.util.List;
import java.util.OptionalInt;

/** A source step: a database's rows as a Parquet file. For one thread. */
public final class SourceDraft extends StepDraft<SourceDraft> {
    private final String connection;
    private final SqlSource sql;
    private final OutputKeys output;
    private List<String> orderBy = List.of();
    private OptionalInt fetch = OptionalInt.empty();

    SourceDraft(JobSteps job, String id, String connection, SqlSource sql, OutputKeys output) {
        super(job, id);
        this.connection = connection;
        this.sql = sql;
        this.output = output;
    }

    @Override
    SourceDraft self() {
        return this;
    }

    /** Columns in which each row is different. */
    public SourceDraft orderBy(String... columns) {
        orderBy = List.of(columns);
        return this;
    }

    public SourceDraft fetch(int rows) {
        fetch = OptionalInt.of(rows);
        return this;
    }

    public SourceDraft cap(long bytes) {
        budgetCap(bytes);
        return this;
    }

    public SourceDraft pool(String name) {
        budgetPool(name);
        return this;
    }

    public SourceDraft deadline(Duration time) {
        budgetDeadline(time);
        return this;
    }

    @Override
    SourceKeys work() {
        return new SourceKeys(connection, sql, orderBy, output, fetch, budget());
    }
}
