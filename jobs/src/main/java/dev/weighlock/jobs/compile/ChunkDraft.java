package dev.weighlock.jobs.compile;

import dev.weighlock.jobs.file.ChunkKeys;
import dev.weighlock.jobs.file.CsvKeys;
import dev.weighlock.jobs.file.ProcessKeys;
import dev.weighlock.jobs.file.SqlSource;
import dev.weighlock.jobs.file.TableKeys;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** A chunk step: delimited files into a table. For one thread. */
public final class ChunkDraft extends StepDraft<ChunkDraft> {
    private final CsvKeys read;
    private final TableKeys write;
    private final Map<String, SqlSource> set = new LinkedHashMap<>();
    private Optional<SqlSource> where = Optional.empty();
    private Optional<String> processor = Optional.empty();
    private int size = 1_000;
    private ChunkKeys.Delivery delivery = ChunkKeys.Delivery.ATOMIC;
    private ChunkKeys.InFlight inFlight = ChunkKeys.InFlight.FINISH;
    private Optional<ChunkKeys.Retry> retry = Optional.empty();
    private Optional<ChunkKeys.Skip> skip = Optional.empty();
    private boolean readAhead = true;

    ChunkDraft(JobSteps job, String id, CsvKeys read, TableKeys write) {
        super(job, id);
        this.read = read;
        this.write = write;
    }

    @Override
    ChunkDraft self() {
        return this;
    }

    /** Leaves out items for which the expression is not true. */
    public ChunkDraft where(String expression) {
        where = Optional.of(JobSteps.source(expression));
        return this;
    }

    /** Sets or adds a column. */
    public ChunkDraft set(String column, String expression) {
        set.put(column, JobSteps.source(expression));
        return this;
    }

    /** An {@link dev.weighlock.batch.chunk.ItemProcessor} of that name, in place of expressions. */
    public ChunkDraft process(String className) {
        processor = Optional.of(className);
        return this;
    }

    public ChunkDraft size(int items) {
        size = items;
        return this;
    }

    public ChunkDraft delivery(ChunkKeys.Delivery mode) {
        delivery = mode;
        return this;
    }

    public ChunkDraft inFlight(ChunkKeys.InFlight policy) {
        inFlight = policy;
        return this;
    }

    public ChunkDraft retry(ChunkKeys.Retry policy) {
        retry = Optional.of(policy);
        return this;
    }

    public ChunkDraft skip(ChunkKeys.Skip policy) {
        skip = Optional.of(policy);
        return this;
    }

    public ChunkDraft readAhead(boolean ahead) {
        readAhead = ahead;
        return this;
    }

    @Override
    ChunkKeys work() {
        Optional<ProcessKeys> process = processor
                .<ProcessKeys>map(ProcessKeys.OfClass::new)
                .or(() -> where.isEmpty() && set.isEmpty()
                        ? Optional.empty()
                        : Optional.of(new ProcessKeys.Expressions(where, set)));
        return new ChunkKeys(read, process, write, size, delivery, inFlight, retry, skip, readAhead);
    }
}
