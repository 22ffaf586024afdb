package dev.weighlock.batch.jdbc.store;

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
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;

/** The lifecycle of job executions, and the decisions of their flow. */
public final class ExecutionStore {
    /** The last commit of a step or partition of a {@code job_execution} since its stop was seen; null for none. */
    public static final String LAST_COMMIT = """
            (SELECT max(c.at) FROM (
                SELECT s.last_commit_at AS at FROM step_execution s
                WHERE s.execution_id = job_execution.id
                UNION ALL
                SELECT p.last_commit_at FROM step_execution s
                JOIN partition_execution p ON p.step_execution_id = s.id
                WHERE s.execution_id = job_execution.id AND s.partitioned) c
            WHERE c.at >= job_execution.stop_seen_at)""";

    private final StoreDatabase database;

    public ExecutionStore(StoreDatabase database) {
        this.database = database;
    }

    public JobExecution update(JobExecution current, JobChange change) {
        RepositoryRules.check(current, change);
        var context = RepositoryBounds.context(change.context());
        return database.writeOne(
                session -> update(session, current, change, context), ReadBacks.of(current, change.status()));
    }

    /** @param context of the change, within its bound; in a transaction of the caller's */
    public static JobExecution update(Session session, JobExecution current, JobChange change, String context)
            throws SQLException {
        var status = change.status();
        return guarded(session, """
                        UPDATE job_execution SET
                            status = :status, exit_code = :exit, version = version + 1, context = :context,
                            started_at = coalesce(started_at, CASE WHEN :started THEN {now} END),
                            stop_seen_at = coalesce(stop_seen_at, CASE WHEN :seen THEN {now} END),
                            ended_at = CASE WHEN :ended THEN {now} END,
                            last_commit_at = CASE WHEN :ended AND stop_seen_at IS NOT NULL THEN {last_commit} END,
                            failure_category = :category, failure_id = :failure,
                            diagnostics = coalesce(:diagnostics, diagnostics)
                        """.replace("{last_commit}", LAST_COMMIT), current)
                .bind("status", status)
                .bind("exit", change.exitStatus().code())
                .bind("context", context)
                .bind("started", status == BatchStatus.STARTED)
                .bind("seen", status == BatchStatus.STOPPING)
                .bind("ended", !status.isActive())
                .bind("category", change.failure().map(FailureSummary::category))
                .bind("failure", change.failure().map(FailureSummary::id))
                .bind("diagnostics", change.diagnostics().map(RepositoryBounds::text))
                .firstOr(row -> row.execution(current.instance()), () -> Guard.broken(session, current));
    }

    private static Sql guarded(Session session, String update, JobExecution current) {
        return session.sql(update + """
                        WHERE id = :id AND version = :version AND epoch = :epoch AND status = :current
                        RETURNING *
                        """)
                .bind("id", current.id())
                .bind("version", current.version())
                .bind("epoch", current.epoch())
                .bind("current", current.status());
    }

    public JobExecution abandon(JobExecution current, AuditEntry audit) {
        RepositoryRules.checkAbandon(current);
        return database.write(
                session -> {
                    refuseSuperseded(session, current);
                    Audit.write(session, current.id(), audit);
                    return guarded(
                                    session,
                                    "UPDATE job_execution SET status = 'ABANDONED', version = version + 1\n",
                                    current)
                            .firstOr(row -> row.execution(current.instance()), () -> Guard.broken(session, current));
                },
                ReadBacks.of(current, BatchStatus.ABANDONED));
    }

    /** The attempt before a running one is nobody's to close. */
    private static void refuseSuperseded(Session session, JobExecution current) throws SQLException {
        session.sql("SELECT id FROM job_execution WHERE id = :id {lock}")
                .bind("id", current.id())
                .first(row -> row.number("id"));
        var later = session.sql("""
                        SELECT id FROM job_execution WHERE instance_id = :instance ORDER BY attempt DESC LIMIT 1
                        """).bind("instance", current.instance().id()).first(row -> row.number("id"));
        if (later.isPresent() && later.get() != current.id()) {
            throw RepositoryRefusals.superseded(current.id(), later.get());
        }
    }

    /** A person decides that an unknown outcome was a failure. */
    public JobExecution failUnknown(JobExecution current, AuditEntry audit) {
        RepositoryRules.checkFailUnknown(current);
        var failure = RepositoryRules.failure(FailureCategory.OUTCOME_UNKNOWN);
        return database.write(
                session -> {
                    Audit.write(session, current.id(), audit);
                    failUnknownSteps(session, current, failure);
                    return guarded(session, """
                                    UPDATE job_execution SET status = 'FAILED', exit_code = 'FAILED',
                                        version = version + 1, failure_category = :category, failure_id = :failure
                                    """, current)
                            .bind("category", failure.category())
                            .bind("failure", failure.id())
                            .firstOr(row -> row.execution(current.instance()), () -> Guard.broken(session, current));
                },
                ReadBacks.of(current, BatchStatus.FAILED));
    }

    private static void failUnknownSteps(Session session, JobExecution current, FailureSummary failure)
            throws SQLException {
        session.sql("""
                        UPDATE step_execution SET status = 'FAILED', exit_code = 'FAILED', version = version + 1,
                            failure_category = :category, failure_id = :failure
                        WHERE execution_id = :id AND status = 'UNKNOWN'
                        """)
                .bind("id", current.id())
                .bind("category", failure.category())
                .bind("failure", failure.id())
                .update();
    }

    public void record(JobExecution execution, FlowDecision decision) {
        database.writeOne(
                session -> {
                    if (insert(session, execution, decision) == 0) {
                        throw notRecorded(session, execution, decision);
                    }
                    return decision;
                },
                session -> target(session, execution, decision)
                        .filter(decision.target()::equals)
                        .map(target -> decision));
    }

    private static int insert(Session session, JobExecution execution, FlowDecision decision) throws SQLException {
        return session.sql("""
                        INSERT INTO flow_decision (instance_id, execution_id, node, exit_code, target, decided_at)
                        SELECT owner.instance_id, owner.id, :node, :exit, :target, {now} FROM job_execution owner
                        WHERE owner.id = :id AND owner.epoch = :epoch AND owner.ended_at IS NULL {share}
                        ON CONFLICT (execution_id, node) DO NOTHING
                        """)
                .bind("id", execution.id())
                .bind("epoch", execution.epoch())
                .bind("node", decision.node())
                .bind("exit", decision.exitCode())
                .bind("target", decision.target())
                .update();
    }

    private static BatchException notRecorded(Session session, JobExecution execution, FlowDecision decision)
            throws SQLException {
        var taken = target(session, execution, decision);
        return taken.isEmpty()
                ? Guard.broken(session, execution)
                : RepositoryRefusals.decided(execution.id(), decision.node(), taken.get());
    }

    private static Optional<String> target(Session session, JobExecution execution, FlowDecision decision)
            throws SQLException {
        return session.sql("SELECT target FROM flow_decision WHERE execution_id = :id AND node = :node")
                .bind("id", execution.id())
                .bind("node", decision.node())
                .first(row -> row.text("target"));
    }

    public List<FlowDecision> decisions(long instanceId) {
        return database.read(session -> session.sql("""
                        SELECT node, exit_code, target FROM flow_decision
                        WHERE id IN (SELECT max(id) FROM flow_decision WHERE instance_id = :instance GROUP BY node)
                        ORDER BY id
                        """)
                .bind("instance", instanceId)
                .list(row -> new FlowDecision(row.text("node"), row.text("exit_code"), row.text("target"))));
    }
}
