package dev.weighlock.batch.jdbc.postgres;

import dev.weighlock.batch.FailureCategory;
import dev.weighlock.batch.FailureSummary;
import dev.weighlock.batch.JobExecution;
import dev.weighlock.batch.jdbc.store.Audit;
import dev.weighlock.batch.jdbc.store.ExecutionStore;
import dev.weighlock.batch.jdbc.store.Explorer;
import dev.weighlock.batch.jdbc.store.Guard;
import dev.weighlock.batch.jdbc.store.Session;
import dev.weighlock.batch.repository.AuditEntry;
import dev.weighlock.batch.repository.RepositoryRules;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;

/**
 * Takes a dead node's execution over and ends it. First the node's server processes are ended, for a paused transaction
 * holds row locks and could still commit; then the epoch rises, which refuses every write that comes later.
 *
 * <p>Stateless.
 */
final class Takeover {
    private static final Duration LOCK_WAIT = Duration.ofSeconds(5);

    private final PostgresDatabase database;
    private final NodeStore nodes;

    Takeover(PostgresDatabase database, NodeStore nodes) {
        this.database = database;
        this.nodes = nodes;
    }

    JobExecution failDead(JobExecution dead, AuditEntry audit) {
        RepositoryRules.checkFailDead(dead);
        database.read(session -> {
            nodes.refuseLive(session, dead);
            NodeBackends.end(session, dead.ownerNode());
            return true;
        });
        var failure = RepositoryRules.failure(FailureCategory.OWNER_LOST);
        return database.write(
                session -> {
                    session.sql("SET LOCAL lock_timeout = " + LOCK_WAIT.toMillis())
                            .update();
                    lockNode(session, dead);
                    return fail(session, dead, failure, audit);
                },
                session -> Explorer.execution(session, dead.id())
                        .filter(stored -> stored.failure().equals(Optional.of(failure))));
    }

    /** A node that renewed its lease meanwhile keeps what it owns; one that renews it from now on waits. */
    private void lockNode(Session session, JobExecution dead) throws SQLException {
        session.sql("SELECT id FROM node WHERE id = :id FOR NO KEY UPDATE")
                .bind("id", dead.ownerNode())
                .list(row -> row.text("id"));
        nodes.refuseLive(session, dead);
    }

    /** Locks job, then steps, then partitions, as everybody who writes to more than one of them. */
    private static JobExecution fail(Session session, JobExecution dead, FailureSummary failure, AuditEntry audit)
            throws SQLException {
        var failed = failJob(session, dead, failure);
        failSteps(session, dead, failure);
        failPartitions(session, dead, failure);
        Audit.write(session, dead.id(), audit);
        return failed;
    }

    private static JobExecution failJob(Session session, JobExecution dead, FailureSummary failure)
            throws SQLException {
        return session.sql("""
                        UPDATE job_execution SET status = 'FAILED', exit_code = 'FAILED',
                            version = version + 1, epoch = epoch + 1, ended_at = {now},
                            last_commit_at = {last_commit},
                            failure_category = :category, failure_id = :failure
                        WHERE id = :id AND version = :version AND epoch = :epoch AND status = :status
                        RETURNING *
                        """.replace("{last_commit}", ExecutionStore.LAST_COMMIT))
                .bind("id", dead.id())
                .bind("version", dead.version())
                .bind("epoch", dead.epoch())
                .bind("status", dead.status())
                .bind("category", failure.category())
                .bind("failure", failure.id())
                .firstOr(row -> row.execution(dead.instance()), () -> Guard.lost(session, dead));
    }

    private static void failSteps(Session session, JobExecution dead, FailureSummary failure) throws SQLException {
        session.sql("""
                        UPDATE step_execution SET status = 'FAILED', exit_code = 'FAILED',
                            version = version + 1, epoch = epoch + 1, ended_at = {now},
                            failure_category = :category, failure_id = :failure
                        WHERE execution_id = :execution AND ended_at IS NULL
                        """)
                .bind("execution", dead.id())
                .bind("category", failure.category())
                .bind("failure", failure.id())
                .update();
    }

    private static void failPartitions(Session session, JobExecution dead, FailureSummary failure) throws SQLException {
        session.sql("""
                        UPDATE partition_execution SET
                            status = CASE WHEN status = 'STARTED' THEN 'FAILED' ELSE 'STOPPED' END,
                            exit_code = CASE WHEN status = 'STARTED' THEN 'FAILED' ELSE 'STOPPED' END,
                            failure_category = CASE WHEN status = 'STARTED' THEN CAST(:category AS text) END,
                            failure_id = CASE WHEN status = 'STARTED' THEN CAST(:failure AS text) END,
                            ended_at = {now}
                        WHERE status IN ('STARTED', 'PLANNED') AND step_execution_id IN (
                            SELECT id FROM step_execution WHERE execution_id = :execution AND epoch = :epoch)
                        """)
                .bind("execution", dead.id())
                .bind("epoch", dead.epoch() + 1)
                .bind("category", failure.category())
                .bind("failure", failure.id())
                .update();
    }
}
