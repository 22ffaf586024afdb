package dev.weighlock.batch.jdbc.store;

import dev.weighlock.batch.BatchStatus;
import dev.weighlock.batch.ExecutionContext;
import dev.weighlock.batch.ExitStatus;
import dev.weighlock.batch.FailureCategory;
import dev.weighlock.batch.FailureSummary;
import dev.weighlock.batch.JobExecution;
import dev.weighlock.batch.JobInstance;
import dev.weighlock.batch.JobName;
import dev.weighlock.batch.PartitionExecution;
import dev.weighlock.batch.PartitionStatus;
import dev.weighlock.batch.StepCounts;
import dev.weighlock.batch.StepExecution;
import dev.weighlock.batch.StepName;
import dev.weighlock.batch.StopInstants;
import dev.weighlock.batch.StopRequest;
import dev.weighlock.batch.StopTiming;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalLong;

/** The current row of a result, read as the vocabulary's values. Confined to the query that made it. */
public final class Row {
    private final ResultSet rows;
    private final Dialect dialect;

    Row(ResultSet rows, Dialect dialect) {
        this.rows = rows;
        this.dialect = dialect;
    }

    public String text(String column) throws SQLException {
        return rows.getString(column);
    }

    public long number(String column) throws SQLException {
        return rows.getLong(column);
    }

    public OptionalLong optionalNumber(String column) throws SQLException {
        long value = rows.getLong(column);
        return rows.wasNull() ? OptionalLong.empty() : OptionalLong.of(value);
    }

    public Optional<String> optionalText(String column) throws SQLException {
        return Optional.ofNullable(rows.getString(column));
    }

    public Instant instant(String column) throws SQLException {
        return optionalInstant(column).orElseThrow();
    }

    public Optional<Instant> optionalInstant(String column) throws SQLException {
        return Optional.ofNullable(dialect.instant(rows, column));
    }

    public JobInstance instance() throws SQLException {
        return new JobInstance(number("instance_id"), new JobName(text("job_name")), text("identity"));
    }

    public JobExecution execution() throws SQLException {
        return execution(instance());
    }

    /** For a row that holds the columns of job_execution only. */
    public JobExecution execution(JobInstance instance) throws SQLException {
        long id = number("id");
        return new JobExecution(
                id,
                instance,
                rows.getInt("attempt"),
                StoredParameters.read(text("parameters")),
                text("definition_digest"),
                text("fingerprint"),
                BatchStatus.valueOf(text("status")),
                exitStatus(),
                number("version"),
                number("epoch"),
                text("owner_node"),
                context("context"),
                stop(id),
                instant("created_at"),
                optionalInstant("started_at"),
                optionalInstant("ended_at"),
                failure(),
                optionalText("diagnostics"));
    }

    /** Of a row that holds the columns of job_execution. */
    public StopInstants stop(long executionId) throws SQLException {
        var requestedAt = optionalInstant("stop_requested_at");
        if (requestedAt.isEmpty()) {
            return new StopInstants(
                    Optional.empty(), optionalInstant("stop_seen_at"), optionalInstant("last_commit_at"));
        }
        var request = new StopRequest(executionId, text("stop_actor"), requestedAt.get());
        return new StopInstants(
                Optional.of(request), optionalInstant("stop_seen_at"), optionalInstant("last_commit_at"));
    }

    public StepExecution step() throws SQLException {
        return new StepExecution(
                number("id"),
                number("execution_id"),
                number("instance_id"),
                new StepName(text("step_name")),
                rows.getInt("attempt"),
                BatchStatus.valueOf(text("status")),
                exitStatus(),
                number("version"),
                number("epoch"),
                counts(),
                context("context"),
                rows.getBoolean("partitioned"),
                optionalText("stop_timing").map(StopTiming::valueOf),
                instant("started_at"),
                optionalInstant("ended_at"),
                failure(),
                optionalText("diagnostics"));
    }

    public PartitionExecution partition() throws SQLException {
        return new PartitionExecution(
                number("id"),
                number("step_execution_id"),
                rows.getInt("ordinal"),
                text("partition_key"),
                context("input"),
                context("context"),
                PartitionStatus.valueOf(text("status")),
                exitStatus(),
                number("claim"),
                counts(),
                rows.getBoolean("carried_over"),
                optionalInstant("started_at"),
                optionalInstant("ended_at"),
                failure(),
                optionalText("diagnostics"));
    }

    public StepCounts counts() throws SQLException {
        return new StepCounts(
                number("read_count"),
                number("process_count"),
                number("write_count"),
                number("filter_count"),
                number("read_skip_count"),
                number("process_skip_count"),
                number("write_skip_count"),
                number("commit_count"),
                number("rollback_count"));
    }

    private ExitStatus exitStatus() throws SQLException {
        return new ExitStatus(text("exit_code"));
    }

    public ExecutionContext context(String column) throws SQLException {
        return ExecutionContext.stored(text(column));
    }

    private Optional<FailureSummary> failure() throws SQLException {
        var category = optionalText("failure_category");
        return category.isEmpty()
                ? Optional.empty()
                : Optional.of(new FailureSummary(FailureCategory.valueOf(category.get()), text("failure_id")));
    }
}
