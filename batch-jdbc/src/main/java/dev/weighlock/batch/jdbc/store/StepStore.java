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
import dev.weighlock.batch.repository.FirstStep;
import dev.weighlock.batch.repository.RepositoryBounds;
import dev.weighlock.batch.repository.RepositoryRules;
import dev.weighlock.batch.repository.StepChange;
import java.sql.SQLException;
import java.util.Optional;
import java.util.function.Supplier;

/** Step attempts and their chunks. The guarded update is the last statement of each transaction. */
public final class StepStore {
    private static final String GUARD = """
            WHERE id = :id AND version = :version AND epoch = :epoch AND status = 'STARTED'
            """;

    /** What a step's end sets. */
    public static final String ENDING = """
            status = :status, exit_code = :exit, version = step_execution.version + 1,
            context = :context, stop_timing = :timing, ended_at = {now}, last_commit_at = {now},
            failure_category = :category, failure_id = :failure, diagnostics = :diagnostics,
            evidence = coalesce(:evidence, evidence),
            """ + Counts.ASSIGNMENTS;

    /** Once a chunk: nothing of the row comes back, for its owner knows what it wrote. */
    private static final String COMMIT = """
            UPDATE step_execution SET version = version + 1, context = :context, last_commit_at = {now},
            """ + Counts.ASSIGNMENTS + GUARD;

    private static final String END = "UPDATE step_execution SET " + ENDING + GUARD + "RETURNING ended_at";

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
        var bounded = Bounded.of(change);
        return Enlisted.write(
                database, write, session -> end(session, current, change, bounded), ReadBacks.of(current));
    }

    /** What a step's end stores, within its bounds. */
    public record Bounded(String context, Optional<String> evidence) {
        /** @throws BatchException TOO_LARGE beyond them */
        public static Bounded of(StepChange change) {
            return new Bounded(
                    RepositoryBounds.context(change.context()), RepositoryBounds.evidence(change.evidence()));
        }
    }

    /** Ends a step in a transaction of the caller's. */
    public static StepExecution end(Session session, StepExecution current, StepChange change, Bounded bounded)
            throws SQLException {
        var ended = bind(session.sql(END), current, change, bounded)
                .firstOr(row -> row.instant("ended_at"), () -> Guard.broken(session, current));
        return RepositoryRules.ended(current, change, ended);
    }

    /** Binds what {@link #ENDING} sets, and the guard: {@code id}, {@code version} and {@code epoch}. */
    public static Sql bind(Sql sql, StepExecution current, StepChange change, Bounded bounded) {
        return guard(sql, current, change.counts())
                .bind("status", change.status())
                .bind("exit", change.exitStatus().code())
                .bind("context", bounded.context())
                .bind("timing", change.stopTiming())
                .bind("category", change.failure().map(FailureSummary::category))
                .bind("failure", change.failure().map(FailureSummary::id))
                .bind("diagnostics", change.diagnostics().map(RepositoryBounds::text))
                .bind("evidence", bounded.evidence());
    }

    public StepExecution commitChunk(StepExecution current, Supplier<ChunkProgress> progress, EnlistedWrite write) {
        return Enlisted.write(
                database, write, session -> commit(session, current, progress.get()), ReadBacks.of(current));
    }

    private static StepExecution commit(Session session, StepExecution current, ChunkProgress progress)
            throws SQLException {
        int changed = guard(session.sql(COMMIT), current, progress.counts())
                .bind("context", RepositoryBounds.context(progress.context()))
                .update();
        if (changed == 0) {
            throw Guard.broken(session, current);
        }
        return current.committed(progress.counts(), progress.context());
    }

    private static Sql guard(Sql sql, StepExecution current, StepCounts counts) {
        var guarded =
                sql.bind("id", current.id()).bind("version", current.version()).bind("epoch", current.epoch());
        return Counts.bind(guarded, counts);
    }

    /** Begins the first step of a new execution in the transaction that creates it. */
    public static StepExecution begin(Session session, JobExecution created, FirstStep first) throws SQLException {
        return insert(session, created, first.name(), 1, first.partitioned());
    }

    /** The step that began with its execution. */
    public static Optional<StepExecution> begun(Session session, JobExecution created, FirstStep first)
            throws SQLException {
        return last(session, created.instance().id(), first.name()).filter(step -> step.executionId() == created.id());
    }
}
