package dev.weighlock.batch.jdbc.store;

import dev.weighlock.batch.JobExecution;
import dev.weighlock.batch.JobInstance;
import dev.weighlock.batch.JobName;
import dev.weighlock.batch.PartitionExecution;
import dev.weighlock.batch.StepExecution;
import dev.weighlock.batch.StoredDefinition;
import dev.weighlock.batch.repository.JobSummary;
import dev.weighlock.batch.repository.Page;
import dev.weighlock.batch.repository.PageCursors;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;

/** What ran. Every listing is paged by a key; ids of these repositories grow, so the newest have the highest. */
public final class Explorer {
    /** Executions with their instance's columns; a WHERE clause follows. */
    public static final String EXECUTIONS = """
            SELECT e.*, i.identity, j.name AS job_name
            FROM job_execution e
            JOIN job_instance i ON i.id = e.instance_id
            JOIN job j ON j.id = e.job_id
            """;

    private final StoreDatabase database;

    public Explorer(StoreDatabase database) {
        this.database = database;
    }

    public Optional<StoredDefinition> definition(String digest) {
        return database.read(session -> session.sql(
                        "SELECT job_name, format, content FROM definition WHERE digest = :digest")
                .bind("digest", digest)
                .first(row -> new StoredDefinition(
                        digest, new JobName(row.text("job_name")), row.text("format"), row.text("content"))));
    }

    public Optional<JobInstance> instance(JobName job, String identity) {
        return database.read(session -> session.sql("""
                        SELECT i.id AS instance_id, i.identity, j.name AS job_name
                        FROM job j JOIN job_instance i ON i.job_id = j.id
                        WHERE j.name = :job AND i.identity = :identity
                            AND i.job_id = (SELECT id FROM job WHERE name = :job)
                        """)
                .bind("job", job.value())
                .bind("identity", identity)
                .first(Row::instance));
    }

    public Optional<JobExecution> execution(long executionId) {
        return database.read(session -> execution(session, executionId));
    }

    public static Optional<JobExecution> execution(Session session, long executionId) throws SQLException {
        return session.sql(EXECUTIONS + "WHERE e.id = :id")
                .bind("id", executionId)
                .first(Row::execution);
    }

    public Optional<JobExecution> lastExecution(long instanceId) {
        return database.read(session ->
                session.sql(EXECUTIONS + """
                        WHERE e.instance_id = :instance ORDER BY e.attempt DESC LIMIT 1
                        """).bind("instance", instanceId).first(Row::execution));
    }

    public Page<JobSummary> jobs(Optional<String> cursor, int limit) {
        PageCursors.checkedLimit(limit);
        long before = PageCursors.decode('j', cursor, Long.MAX_VALUE);
        var rows = database.read(session -> session.sql("""
                        SELECT e.*, i.identity, j.name AS job_name, j.instances, j.executions
                        FROM job j
                        JOIN job_execution e ON e.id = j.last_execution_id
                        JOIN job_instance i ON i.id = e.instance_id
                        WHERE j.last_execution_id < :before ORDER BY j.last_execution_id DESC LIMIT :limit
                        """)
                .bind("before", before)
                .bind("limit", limit + 1)
                .list(row -> new JobSummary(
                        new JobName(row.text("job_name")),
                        row.number("instances"),
                        row.number("executions"),
                        row.execution())));
        return PageCursors.page('j', rows, limit, summary -> summary.last().id());
    }

    public Page<JobExecution> executions(Optional<JobName> job, Optional<String> cursor, int limit) {
        PageCursors.checkedLimit(limit);
        long before = PageCursors.decode('e', cursor, Long.MAX_VALUE);
        var ofJob = job.isPresent() ? "e.job_id = (SELECT id FROM job WHERE name = :job) AND " : "";
        var rows = database.read(
                session -> session.sql(EXECUTIONS + "WHERE " + ofJob + "e.id < :before ORDER BY e.id DESC LIMIT :limit")
                        .bind("job", job.map(JobName::value))
                        .bind("before", before)
                        .bind("limit", limit + 1)
                        .list(Row::execution));
        return PageCursors.page('e', rows, limit, JobExecution::id);
    }

    public List<StepExecution> steps(long executionId) {
        return database.read(
                session -> session.sql("SELECT * FROM step_execution WHERE execution_id = :execution ORDER BY id")
                        .bind("execution", executionId)
                        .list(Row::step));
    }

    public Page<PartitionExecution> partitions(long stepExecutionId, Optional<String> cursor, int limit) {
        PageCursors.checkedLimit(limit);
        long after = PageCursors.decode('p', cursor, -1);
        var rows = database.read(session -> session.sql("""
                        SELECT * FROM partition_execution
                        WHERE step_execution_id = :step AND ordinal > :after ORDER BY ordinal LIMIT :limit
                        """)
                .bind("step", stepExecutionId)
                .bind("after", after)
                .bind("limit", limit + 1)
                .list(Row::partition));
        return PageCursors.page('p', rows, limit, PartitionExecution::ordinal);
    }

    public Optional<String> stepEvidence(long stepExecutionId) {
        return evidence("SELECT evidence FROM step_execution WHERE id = :id", stepExecutionId);
    }

    public Optional<String> partitionEvidence(long partitionExecutionId) {
        return evidence("SELECT evidence FROM partition_execution WHERE id = :id", partitionExecutionId);
    }

    private Optional<String> evidence(String query, long id) {
        return database.read(session -> session.sql(query).bind("id", id).first(row -> row.optionalText("evidence")))
                .flatMap(evidence -> evidence);
    }
}
