package dev.weighlock.batch.jdbc.store;

import dev.weighlock.batch.BatchException;
import dev.weighlock.batch.BatchStatus;
import dev.weighlock.batch.ExecutionContext;
import dev.weighlock.batch.FailureSummary;
import dev.weighlock.batch.JobExecution;
import dev.weighlock.batch.StepCounts;
import dev.weighlock.batch.StepExecution;
import dev.weighlock.batch.StepName;
import dev.weighlock.batch.repository.ChunkProgress;
import dev.weighlock.batch.repository.EnlistedWrite;
import dev.weighlock.batch.repository.RepositoryBounds;
import dev.weighlock.batch.repository.RepositoryRules;
import dev.weighlock.batch.repository.StepChange;
import java.sql.SQLException;
import java.util.Optional;
import java.util.function.Supplier;

/** Step attempts and their chunks. The guarded update is the last statement of each transaction. */
public final class StepStore {
    private final StoreDatabase database;

    public StepStore(StoreDatabase database) {
        this.database = database;
    }

    public StepExecution create(JobExecution execution, StepName name, int startLimit, boolean partitioned) {
        return database.writeOne(
                session -> insert(session, execution, name, startLimit, partitioned),
                session -> last(session, execution.instance().id(), name)
                        .filter(stored -> stored.executionId() == execution.id()
                                && stored.epoch() == execution.epoch()
                                && stored.status() == BatchStatus.STARTED));
    }

    private static StepExecution insert(
            Session session, JobExecution execution, StepName name, int startLimit, boolean partitioned)
            throws SQLException {
        return session.sql("""
                        INSERT INTO step_execution (execution_id, instance_id, step_name, attempt, status, exit_code,
                            version, epoch, context, partitioned, started_at)
                        SELECT owner.id, owner.instance_id, :name, coalesce(last.attempt, 0) + 1, 'STARTED', 'UNKNOWN',
                            1, owner.epoch, CASE WHEN last.status <> 'COMPLETED' THEN last.context ELSE :empty END,
                            :partitioned, {now}
                        FROM job_execution owner LEFT JOIN (
                            SELECT attempt, status, context FROM step_execution
                            WHERE instance_id = :instance AND step_name = :name
                            ORDER BY attempt DESC LIMIT 1) last ON true
                        WHERE owner.id = :execution AND owner.epoch = :epoch AND owner.ended_at IS NULL
                            AND coalesce(last.attempt, 0) < :limit {share}
                        RETURNING *
                        """)
                .bind("execution", execution.id())
                .bind("instance", execution.instance().id())
                .bind("epoch", execution.epoch())
                .bind("name", name.value())
                .bind("limit", startLimit)
                .bind("empty", ExecutionContext.EMPTY.toJson())
                .bind("partitioned", partitioned)
                .firstOr(Row::step, () -> notBegun(session, execution, name, startLimit));
    }

    private static BatchException notBegun(Session session, JobExecution execution, StepName name, int startLimit)
            throws SQLException {
        var owned = session.sql("""
                        SELECT epoch FROM job_execution WHERE id = :id AND epoch = :epoch AND ended_at IS NULL
                        """)
                .bind("id", execution.id())
                .bind("epoch", execution.epoch())
                .first(row -> row.number("epoch"));
        if (owned.isPresent()) {
            RepositoryRules.nextAttempt(last(session, execution.instance().id(), name), name, startLimit);
        }
        return Guard.broken(session, execution);
    }

    public Optional<StepExecution> last(long instanceId, StepName name) {
        return database.read(session -> last(session, instanceId, name));
    }

    private static Optional<StepExecution> last(Session session, long instanceId, StepName name) throws SQLException {
        return session.sql("""
                        SELECT * FROM step_execution WHERE instance_id = :instance AND step_name = :name
                        ORDER BY attempt DESC LIMIT 1
                        """)
                .bind("instance", instanceId)
                .bind("name", name.value())
                .first(Row::step);
    }

    public StepExecution update(StepExecution current, StepChange change, EnlistedWrite write) {
        RepositoryRules.check(current, change);
        var context = RepositoryBounds.context(change.context());
        var evidence = RepositoryBounds.evidence(change.evidence());
        return Enlisted.write(
                database,
                write,
                session -> guarded(session, """
                                UPDATE step_execution SET status = :status, exit_code = :exit, version = version + 1,
                                    context = :context, stop_timing = :timing, ended_at = {now}, last_commit_at = {now},
                                    failure_category = :category, failure_id = :failure, diagnostics = :diagnostics,
                                    evidence = coalesce(:evidence, evidence),
                                """, current, change.counts())
                        .bind("status", change.status())
                        .bind("exit", change.exitStatus().code())
                        .bind("context", context)
                        .bind("timing", change.stopTiming())
                        .bind("category", change.failure().map(FailureSummary::category))
                        .bind("failure", change.failure().map(FailureSummary::id))
                        .bind("diagnostics", change.diagnostics().map(RepositoryBounds::text))
                        .bind("evidence", evidence)
                        .firstOr(Row::step, () -> Guard.broken(session, current)),
                ReadBacks.of(current));
    }

    public StepExecution commitChunk(StepExecution current, Supplier<ChunkProgress> progress, EnlistedWrite write) {
        return Enlisted.write(
                database, write, session -> commit(session, current, progress.get()), ReadBacks.of(current));
    }

    private static StepExecution commit(Session session, StepExecution current, ChunkProgress progress)
            throws SQLException {
        return guarded(session, """
                        UPDATE step_execution SET version = version + 1, context = :context,
                            last_commit_at = {now},
                        """, current, progress.counts())
                .bind("context", RepositoryBounds.context(progress.context()))
                .firstOr(Row::step, () -> Guard.broken(session, current));
    }

    private static Sql guarded(Session session, String update, StepExecution current, StepCounts counts) {
        var sql = session.sql(update + Counts.ASSIGNMENTS + """
                        WHERE id = :id AND version = :version AND epoch = :epoch AND status = 'STARTED'
                        RETURNING *
                        """)
                .bind("id", current.id())
                .bind("version", current.version())
                .bind("epoch", current.epoch());
        return Counts.bind(sql, counts);
    }
}
