package dev.weighlock.batch.jdbc.postgres;

import dev.weighlock.batch.BatchError;
import dev.weighlock.batch.BatchException;
import dev.weighlock.batch.FailureCategory;
import dev.weighlock.batch.FailureSummary;
import dev.weighlock.batch.JobExecution;
import dev.weighlock.batch.jdbc.store.Audit;
import dev.weighlock.batch.jdbc.store.Guard;
import dev.weighlock.batch.jdbc.store.Session;
import dev.weighlock.batch.jdbc.store.StoreDatabase.ReadBack;
import dev.weighlock.batch.repository.AuditEntry;
import dev.weighlock.batch.repository.DeadExecution;
import dev.weighlock.batch.repository.NodeInfo;
import dev.weighlock.batch.repository.RepositoryRules;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Which nodes live, and what becomes of a dead one's executions. A node is dead when it said so at its end.
 *
 * <p>Thread-safe: the monitor guards {@code ownId} and is held across registering and ending.
 */
final class NodeStore implements AutoCloseable {
    private final PostgresDatabase database;
    private @Nullable String ownId;

    NodeStore(PostgresDatabase database) {
        this.database = database;
    }

    synchronized void register(NodeInfo node) {
        if (ownId != null) {
            throw new IllegalStateException("this repository object already serves node " + ownId);
        }
        database.writeOne(
                session -> session.sql("""
                                INSERT INTO node (id, host, pid, lease)
                                VALUES (:id, :host, :pid, :lease * interval '1 millisecond')
                                """)
                        .bind("id", node.id())
                        .bind("host", node.host())
                        .bind("pid", node.pid())
                        .bind("lease", database.settings().lease().toMillis())
                        .update(),
                ReadBack.none());
        ownId = node.id();
    }

    synchronized Optional<String> ownId() {
        return Optional.ofNullable(ownId);
    }

    boolean isAlive(String nodeId) {
        return database.read(session -> isAlive(session, nodeId));
    }

    private static boolean isAlive(Session session, String nodeId) throws SQLException {
        return session.sql("SELECT id FROM node WHERE id = :id AND ended_at IS NULL")
                .bind("id", nodeId)
                .first(row -> true)
                .isPresent();
    }

    List<DeadExecution> dead() {
        return database.read(session -> session.sql("""
                        SELECT e.*, i.identity, j.name AS job_name, n.host, n.pid
                        FROM job_execution e
                        JOIN job_instance i ON i.id = e.instance_id
                        JOIN job j ON j.id = e.job_id
                        JOIN node n ON n.id = e.owner_node
                        WHERE e.ended_at IS NULL AND n.ended_at IS NOT NULL
                        """)
                .list(row -> new DeadExecution(
                        row.execution(), new NodeInfo(row.text("owner_node"), row.text("host"), row.number("pid")))));
    }

    /** Locks job, then steps, then partitions, as everybody who writes to more than one of them. */
    JobExecution failDead(JobExecution dead, AuditEntry audit) {
        RepositoryRules.checkFailDead(dead);
        var failure = RepositoryRules.failure(FailureCategory.OWNER_LOST);
        return database.write(
                session -> {
                    if (isAlive(session, dead.ownerNode())) {
                        throw new BatchException(
                                BatchError.ALREADY_RUNNING,
                                "execution " + dead.id() + " is owned by the live node " + dead.ownerNode());
                    }
                    var failed = failJob(session, dead, failure);
                    failSteps(session, dead, failure);
                    failPartitions(session, dead, failure);
                    Audit.write(session, dead.id(), audit);
                    return failed;
                },
                ReadBack.none());
    }

    private static JobExecution failJob(Session session, JobExecution dead, FailureSummary failure)
            throws SQLException {
        return session.sql("""
                        UPDATE job_execution SET status = 'FAILED', exit_code = 'FAILED',
                            version = version + 1, epoch = epoch + 1, ended_at = {now},
                            failure_category = :category, failure_id = :failure
                        WHERE id = :id AND version = :version AND epoch = :epoch AND status = :status
                        RETURNING *
                        """)
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

    /** Ends the proof of life. Idempotent. */
    @Override
    public synchronized void close() {
        var id = ownId;
        if (id != null) {
            ownId = null;
            database.writeOne(
                    session -> session.sql("UPDATE node SET ended_at = {now} WHERE id = :id AND ended_at IS NULL")
                            .bind("id", id)
                            .update(),
                    ReadBack.none());
        }
    }
}
