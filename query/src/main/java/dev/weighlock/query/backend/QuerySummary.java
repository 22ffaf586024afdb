package dev.weighlock.query.backend;

import dev.weighlock.query.AttemptId;
import dev.weighlock.query.QueryException;
import dev.weighlock.query.engine.StatementProfile;
import dev.weighlock.query.report.AttemptReport;
import dev.weighlock.query.report.OutcomeKind;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * What became of one query: the sealed report with what a report never holds. What did not happen is null, never zero.
 *
 * @param label the request's
 * @param error the untouched exception of a query that did not succeed
 * @param tempBytes the highest use of disk for spilling
 * @param profile the operators of a statement that ended, where the request asked for them
 * @param tables names that the statement read, as written, files named as tables too; empty before it was planned
 */
public record QuerySummary(
        AttemptReport report,
        @Nullable String label,
        @Nullable QueryException error,
        @Nullable Long tempBytes,
        @Nullable StatementProfile profile,
        List<String> tables) {
    public QuerySummary {
        tables = List.copyOf(tables);
    }

    public AttemptId attemptId() {
        return report.attemptId();
    }

    public OutcomeKind outcome() {
        return report.outcome().kind();
    }

    public boolean succeeded() {
        return outcome() == OutcomeKind.SUCCEEDED;
    }

    public @Nullable Duration planningTime() {
        return duration(report.durations().planning());
    }

    /** From the request for admission to the grant. */
    public @Nullable Duration queueWait() {
        return duration(report.durations().queueWait());
    }

    /** From the start of the engine's work to the outcome. */
    public @Nullable Duration executionTime() {
        return duration(report.durations().physicalExecution());
    }

    /** From submission until the report was sealed, cleanup included. */
    public @Nullable Duration totalTime() {
        return duration(report.durations().total());
    }

    public @Nullable Long grantBytes() {
        var fact = report.admission();
        return fact == null ? null : Long.valueOf(fact.grantBytes());
    }

    /** The highest use inside the grant, where the engine could tell. */
    public @Nullable Long peakBytes() {
        return report.capacity().peakBytes();
    }

    /**
     * What was seen from outside beyond {@link #peakBytes}; null where the query did not run alone and watched for long
     * enough to be seen, or its request did not ask.
     */
    public @Nullable Long overshootBytes() {
        return report.capacity().overshootBytes();
    }

    /** Rows handed over or written; null where the query was never admitted. */
    public @Nullable Long resultRows() {
        return report.admission() == null ? null : Long.valueOf(report.result().rows());
    }

    /** Whether the rows are proved to be all. */
    public boolean resultComplete() {
        return report.result().complete();
    }

    private static @Nullable Duration duration(OptionalLong nanos) {
        return nanos.isPresent() ? Duration.ofNanos(nanos.getAsLong()) : null;
    }
}
