package dev.weighlock.batch.jdbc.sqlite;

import dev.weighlock.batch.BatchException;
import dev.weighlock.batch.BatchStatus;
import dev.weighlock.batch.FailureCategory;
import dev.weighlock.batch.FailureSummary;
import dev.weighlock.batch.FlowDecision;
import dev.weighlock.batch.JobExecution;
import dev.weighlock.batch.repository.AuditEntry;
import dev.weighlock.batch.repository.JobChange;
import dev.weighlock.batch.repository.RepositoryBounds;
import dev.weighlock.batch.repository.RepositoryRefusals;
import dev.weighlock.batch.repository.RepositoryRules;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Clock;
import java.util.List;

/** The lifecycle of job executions, and the decisions of their flow. */
final class ExecutionStore {
    private final SqliteDatabase database;
    private final Clock clock;

    ExecutionStore(SqliteDatabase database, Clock clock) {
        this.database = database;
        this.clock = clock;
    }

    JobExecution update(JobExecution current, JobChange change) {
        RepositoryRules.check(current, change);
        var context = RepositoryBounds.context(change.context());
        return database.write(connection -> update(connection, current, change, context));
    }

    private JobExecution update(Connection connection, JobExecution current, JobChange change, String context)
            throws SQLException {
        var now = clock.instant();
        var status = change.status();
        return guarded(connection, """
                        UPDATE job_execution SET
                            status = :status, exit_code = :exit, version = version + 1, context = :context,
                            started_at = coalesce(started_at, :started),
                            stop_seen_at = coalesce(stop_seen_at, :seen),
                            ended_at = :ended,
                            last_commit_at = CASE WHEN :ended IS NULL THEN NULL ELSE (
                                SELECT max(at) FROM (
                                    SELECT s.last_commit_at AS at FROM step_execution s
                                    WHERE s.execution_id = job_execution.id
                                    UNION ALL
                                    SELECT p.last_commit_at FROM step_execution s
                                    JOIN partition_execution p ON p.step_execution_id = s.id
                                    WHERE s.execution_id = job_execution.id AND s.partitioned)
                                WHERE at >= job_execution.stop_seen_at) END,
                            failure_category = :category, failure_id = :failure,
                            diagnostics = coalesce(:diagnostics, diagnostics)
                        """, current)
                .bind("status", status)
                .bind("exit", change.exitStatus().code())
                .bind("context", context)
                .bind("started", status == BatchStatus.STARTED ? now : null)
                .bind("seen", status == BatchStatus.STOPPING ? now : null)
                .bind("ended", status.isActive() ? null : now)
                .bind("category", change.failure().map(FailureSummary::category))
                .bind("failure", change.failure().map(FailureSummary::id))
                .bind("diagnostics", change.diagnostics().map(RepositoryBounds::text))
                .firstOr(row -> row.execution(current.instance()), () -> Guard.broken(connection, current));
    }

    private static Sql guarded(Connection connection, String update, JobExecution current) {
        return Sql.of(connection, update + """
                        WHERE id = :id AND version = :version AND epoch = :epoch AND status = :current
                        RETURNING *
                        """)
                .bind("id", current.id())
                .bind("version", current.version())
                .bind("epoch", current.epoch())
                .bind("current", current.status());
    }

    JobExecution abandon(JobExecution current, AuditEntry audit) {
        RepositoryRules.checkAbandon(current);
        return database.write(connection -> {
            var abandoned = guarded(
                            connection,
                            "UPDATE job_execution SET status = 'ABANDONED', version = version + 1\n",
                            current)
                    .firstOr(row -> row.execution(current.instance()), () -> Guard.broken(connection, current));
            Audit.write(connection, current.id(), audit, clock.instant());
            return abandoned;
        });
    }

    /** A person decides that an unknown outcome was a failure. */
    JobExecution failUnknown(JobExecution current, AuditEntry audit) {
        RepositoryRules.checkFailUnknown(current);
        var failure = RepositoryRules.failure(FailureCategory.OUTCOME_UNKNOWN);
        return database.write(connection -> {
            var failed = guarded(connection, """
                            UPDATE job_execution SET status = 'FAILED', exit_code = 'FAILED', version = version + 1,
                                failure_category = :category, failure_id = :failure
                            """, current)
                    .bind("category", failure.category())
                    .bind("failure", failure.id())
                    .firstOr(row -> row.execution(current.instance()), () -> Guard.broken(connection, current));
            Sql.of(connection, """
                            UPDATE step_execution SET status = 'FAILED', exit_code = 'FAILED', version = version + 1,
                                failure_category = :category, failure_id = :failure
                            WHERE execution_id = :id AND status = 'UNKNOWN'
                            """)
                    .bind("id", current.id())
                    .bind("category", failure.category())
                    .bind("failure", failure.id())
                    .update();
            Audit.write(connection, current.id(), audit, clock.instant());
            return failed;
        });
    }

    void record(JobExecution execution, FlowDecision decision) {
        database.write(connection -> {
            int written = Sql.of(connection, """
                            INSERT INTO flow_decision (instance_id, execution_id, node, exit_code, target, decided_at)
                            SELECT instance_id, id, :node, :exit, :target, :now FROM job_execution
                            WHERE id = :id AND epoch = :epoch AND ended_at IS NULL
                            ON CONFLICT (execution_id, node) DO NOTHING
                            """)
                    .bind("id", execution.id())
                    .bind("epoch", execution.epoch())
                    .bind("node", decision.node())
                    .bind("exit", decision.exitCode())
                    .bind("target", decision.target())
                    .bind("now", clock.instant())
                    .update();
            if (written == 0) {
                throw notRecorded(connection, execution, decision);
            }
            return written;
        });
    }

    private static BatchException notRecorded(Connection connection, JobExecution execution, FlowDecision decision)
            throws SQLException {
        var taken = Sql.of(connection, "SELECT target FROM flow_decision WHERE execution_id = :id AND node = :node")
                .bind("id", execution.id())
                .bind("node", decision.node())
                .first(row -> row.text("target"));
        return taken.isEmpty()
                ? Guard.broken(connection, execution)
                : RepositoryRefusals.decided(execution.id(), decision.node(), taken.get());
    }

    List<FlowDecision> decisions(long instanceId) {
        return database.read(connection -> Sql.of(connection, """
                        SELECT node, exit_code, target FROM flow_decision
                        WHERE id IN (SELECT max(id) FROM flow_decision WHERE instance_id = :instance GROUP BY node)
                        ORDER BY id
                        """)
                .bind("instance", instanceId)
                .list(row -> new FlowDecision(row.text("node"), row.text("exit_code"), row.text("target"))));
    }
}
