package dev.weighlock.jobs.compile;

import dev.weighlock.jobs.file.OutputKeys;
import dev.weighlock.jobs.file.QueryKeys;
import dev.weighlock.jobs.file.SqlSource;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;

/** A query step. For one thread. */
public final class QueryDraft extends StepDraft<QueryDraft> {
    private final SqlSource sql;
    private Optional<OutputKeys> output = Optional.empty();
    private OptionalLong maxRows = OptionalLong.empty();

    QueryDraft(JobSteps job, String id, SqlSource sql) {
        super(job, id);
        this.sql = sql;
    }

    @Override
    QueryDraft self() {
        return this;
    }

    /** A file, written whole; without it the first rows go to the record. */
    public QueryDraft output(OutputKeys file) {
        output = Optional.of(file);
        return this;
    }

    public QueryDraft maxRows(long rows) {
        maxRows = OptionalLong.of(rows);
        return this;
    }

    public QueryDraft cap(long bytes) {
        budgetCap(bytes);
        return this;
    }

    public QueryDraft pool(String name) {
        budgetPool(name);
        return this;
    }

    public QueryDraft deadline(Duration time) {
        budgetDeadline(time);
        return this;
    }

    @Override
    QueryKeys work() {
        return new QueryKeys(sql, output, budget(), Optional.empty(), maxRows);
    }
}
