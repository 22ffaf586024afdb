package dev.weighlock.jobs.query;

import dev.weighlock.batch.FailureCategory;
import dev.weighlock.batch.step.PartitionScope;
import dev.weighlock.batch.step.StepContext;
import dev.weighlock.jobs.StepFailure;
import dev.weighlock.jobs.file.Budget;
import dev.weighlock.jobs.file.JobScope;
import dev.weighlock.jobs.file.OutputKeys;
import dev.weighlock.jobs.output.WholeFile;
import dev.weighlock.jobs.sql.SqlTemplate;
import dev.weighlock.jobs.value.StepValues;
import dev.weighlock.query.backend.QueryLimits;
import dev.weighlock.query.backend.QueryRequest;
import dev.weighlock.query.backend.QueryScope;
import dev.weighlock.query.engine.FileOutput;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** What the steps of one job share when they ask for queries and files. Immutable. */
public record StepQuery(JobScope job) {
    /** The values of a running step. */
    public StepValues values(StepContext context) {
        return new StepValues(context, job.stepIds());
    }

    /**
     * The SQL with its checked identifiers; bound names stay names.
     *
     * @throws StepFailure where an identifier is not a plain word
     */
    public String text(SqlTemplate sql, StepValues values) {
        try {
            return sql.forEngine(values::identifier);
        } catch (IllegalArgumentException unchecked) {
            throw new StepFailure(FailureCategory.STEP_FAILED, String.valueOf(unchecked.getMessage()), unchecked);
        }
    }

    /** Adds what holds for every query of the job, and a label for people. */
    public QueryRequest scoped(QueryRequest request, StepContext context) {
        String partition = context.partition().map(scope -> "/" + scope.key()).orElse("");
        return scoped(request, context.step().value() + partition);
    }

    /**
     * The same for a query outside of any step.
     *
     * @param asker what asks, within the job
     */
    public QueryRequest scoped(QueryRequest request, String asker) {
        return request.with(new QueryScope(
                        job.readDirectories(), job.writeDirectories(), job.folder(), job.timeZone(), job.dataSets()))
                .label(job.name() + "/" + asker)
                .profile();
    }

    /** The limits that a step's keys ask for. */
    public static QueryLimits limits(Budget budget, OptionalLong maxRows, @Nullable Long firstRows) {
        return new QueryLimits(
                budget.capBytes().isPresent() ? budget.capBytes().getAsLong() : null,
                budget.pool().orElse(QueryLimits.DEFAULT_POOL),
                budget.deadline().orElse(null),
                maxRows.isPresent() ? maxRows.getAsLong() : null,
                firstRows);
    }

    /**
     * Prepares a step's output file.
     *
     * @throws StepFailure where it cannot be written
     */
    public WholeFile prepare(OutputKeys output, StepContext context) {
        String path = values(context).path(output.path());
        String owner = WholeFile.owner(
                context.repositoryId(),
                context.instanceId(),
                context.step().value(),
                context.partition().map(PartitionScope::key).orElse(""));
        try {
            Path destination = job.folder().resolve(path).normalize();
            return WholeFile.prepare(destination, job.writeDirectories(), owner, context.epoch());
        } catch (InvalidPathException invalid) {
            throw new StepFailure(
                    FailureCategory.STEP_FAILED,
                    "the output path %s cannot exist; correct it".formatted(path),
                    invalid);
        }
    }

    /** The format that an output's keys ask for. */
    public static FileOutput format(OutputKeys output) {
        return switch (output.format()) {
            case PARQUET -> new FileOutput.Parquet(compression(output, FileOutput.Compression.ZSTD));
            case CSV ->
                new FileOutput.Csv(
                        output.header(),
                        output.delimiter(),
                        output.quote(),
                        compression(output, FileOutput.Compression.NONE));
            case JSONL -> new FileOutput.JsonLines(compression(output, FileOutput.Compression.NONE));
        };
    }

    private static FileOutput.Compression compression(OutputKeys output, FileOutput.Compression otherwise) {
        return output.compression()
                .map(chosen -> FileOutput.Compression.valueOf(chosen.name()))
                .orElse(otherwise);
    }
}
