package dev.weighlock.batch.jdbc.sqlite;

import dev.weighlock.batch.FailureCategory;
import dev.weighlock.batch.FailureSummary;
import dev.weighlock.batch.JobExecution;
import dev.weighlock.batch.jdbc.store.Audit;
import dev.weighlock.batch.jdbc.store.ExecutionStore;
import dev.weighlock.batch.jdbc.store.Guard;
import dev.weighlock.batch.jdbc.store.Session;
import dev.weighlock.batch.repository.AuditEntry;
import dev.weighlock.batch.repository.DeadExecution;
import dev.weighlock.batch.repository.NodeInfo;
import dev.weighlock.batch.repository.RepositoryRefusals;
import dev.weighlock.batch.repository.RepositoryRules;
import dev.weighlock.host.LockFile;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Which processes live, and what becomes of a dead one's executions. Each node holds the lock of a file in the folder
 * {@code nodes} beside the database; a free lock means dead. No heartbeat: a paused owner delays and is never replaced.
 *
 * <p>Thread-safe: the monitor guards {@code held}; {@link #register} holds it across its write, so that a process
 * becomes one node at most.
 */
final class NodeStore implements AutoCloseable {
    private final SqliteDatabase database;
    private final Path folder;
    private @Nullable LockFile held;
    private @Nullable String ownId;

    NodeStore(SqliteDatabase database) {
        this.database = database;
        this.folder = database.file().resolveSibling("nodes");
    }

    synchronized void register(NodeInfo node) {
        if (ownId != null) {
            throw new IllegalStateException("this repository object already serves node " + ownId);
        }
        // First the lock, then the row: a row without a lock would read as dead.
        var lock = LockFile.tryHold(lockFile(node.id()), node.host() + " " + node.pid())
                .orElseThrow(() -> new IllegalStateException("node " + node.id() + " is held by a live process"));
        try {
            database.write(session -> insert(session, node));
        } catch (RuntimeException e) {
            lock.close();
            throw e;
        }
        held = lock;
        ownId = node.id();
    }

    private static int insert(Session session, NodeInfo node) throws SQLException {
        return session.sql("""
                        INSERT INTO node (id, host, pid, registered_at) VALUES (:id, :host, :pid, {now})
                        """)
                .bind("id", node.id())
                .bind("host", node.host())
                .bind("pid", node.pid())
                .update();
    }

    private Path lockFile(String nodeId) {
        if (!nodeId.matches("[A-Za-z0-9-]{1,64}")) {
            throw new IllegalArgumentException("a node id has 1 to 64 letters, digits and hyphens: " + nodeId);
        }
        return folder.resolve(nodeId + ".lock");
    }

    synchronized Optional<String> ownId() {
        return Optional.ofNullable(ownId);
    }

    boolean isAlive(String nodeId) {
        return LockFile.probe(lockFile(nodeId)) == LockFile.Liveness.HELD;
    }

    List<DeadExecution> dead() {
        var active = database.read(session -> session.sql("""
                        SELECT e.*, i.identity, j.name AS job_name, n.host, n.pid
                        FROM job_execution e
                        JOIN job_instance i ON i.id = e.instance_id
                        JOIN job j ON j.id = e.job_id
                        JOIN node n ON n.id = e.owner_node
                        WHERE e.ended_at IS NULL
                        """)
                .list(row -> new DeadExecution(
                        row.execution(), new NodeInfo(row.text("owner_node"), row.text("host"), row.number("pid")))));
        var alive = new HashMap<String, Boolean>();
        return active.stream()
                .filter(execution -> !alive.computeIfAbsent(execution.owner().id(), this::isAlive))
                .toList();
    }

    JobExecution failDead(JobExecution dead, AuditEntry audit) {
        RepositoryRules.checkFailDead(dead);
        if (isAlive(dead.ownerNode())) {
            throw RepositoryRefusals.alive(
                    dead.id(), node(dead.ownerNode()).map(NodeInfo::name).orElse("node " + dead.ownerNode()));
        }
        var failure = RepositoryRules.failure(FailureCategory.OWNER_LOST);
        return database.write(session -> {
            failPartitions(session, dead, failure);
            failSteps(session, dead, failure);
            var failed = failJob(session, dead, failure);
            Audit.write(session, dead.id(), audit);
            return failed;
        });
    }

    Optional<NodeInfo> node(String id) {
        return database.read(session -> session.sql("SELECT id, host, pid FROM node WHERE id = :id")
                .bind("id", id)
                .first(row -> new NodeInfo(row.text("id"), row.text("host"), row.number("pid"))));
    }

    private static void failPartitions(Session session, JobExecution dead, FailureSummary failure) throws SQLException {
        session.sql("""
                        UPDATE partition_execution SET
                            status = iif(status = 'STARTED', 'FAILED', 'STOPPED'),
                            exit_code = iif(status = 'STARTED', 'FAILED', 'STOPPED'),
                            failure_category = iif(status = 'STARTED', :category, NULL),
                            failure_id = iif(status = 'STARTED', :failure, NULL),
                            ended_at = {now}
                        WHERE status IN ('STARTED', 'PLANNED') AND step_execution_id IN (
                            SELECT id FROM step_execution WHERE execution_id = :execution AND ended_at IS NULL)
                        """)
                .bind("execution", dead.id())
                .bind("category", failure.category())
                .bind("failure", failure.id())
                .update();
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

    /** Ends the proof of life. Idempotent. */
    @Override
    public synchronized void close() {
        if (held != null) {
            held.close();
            held = null;
        }
    }
}
