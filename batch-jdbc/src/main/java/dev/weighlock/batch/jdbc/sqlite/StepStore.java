package dev.weighlock.batch.jdbc.sqlite;

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
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Clock;
import java.util.Optional;

/** Step attempts and their chunks. The guarded update is the last statement of each transaction. */
final class StepStore {
    private final SqliteDatabase database;
    private final Clock clock;

    StepStore(SqliteDatabase database, Clock clock) {
        this.database = database;
        this.clock = clock;
    }

    StepExecution create(JobExecution execution, StepName name, int startLimit, boolean partitioned) {
        return database.write(connection -> {
            var last = last(connection, execution.instance().id(), name);
            int attempt = RepositoryRules.nextAttempt(last, name, startLimit);
            return insert(connection, execution, name, attempt, RepositoryRules.carriedContext(last), partitioned);
        });
    }

    private StepExecution insert(
            Connection connection,
            JobExecution execution,
            StepName name,
            int attempt,
            ExecutionContext context,
            boolean partitioned)
            throws SQLException {
        return Sql.of(connection, """
                        INSERT INTO step_execution (execution_id, instance_id, step_name, attempt, status, exit_code,
                            version, epoch, context, partitioned, started_at)
                        SELECT id, instance_id, :name, :attempt, 'STARTED', 'UNKNOWN',
                            1, epoch, :context, :partitioned, :now
                        FROM job_execution WHERE id = :execution AND epoch = :epoch AND ended_at IS NULL
                        RETURNING *
                        """)
                .bind("execution", execution.id())
                .bind("epoch", execution.epoch())
                .bind("name", name.value())
                .bind("attempt", attempt)
                .bind("context", context.toJson())
                .bind("partitioned", partitioned)
                .bind("now", clock.instant())
                .firstOr(Row::step, () -> Guard.broken(connection, execution));
    }

    Optional<StepExecution> last(long instanceId, StepName name) {
        return database.read(connection -> last(connection, instanceId, name));
    }

    private static Optional<StepExecution> last(Connection connection, long instanceId, StepName name)
            throws SQLException {
        return Sql.of(connection, """
                        SELECT * FROM step_execution WHERE instance_id = :instance AND step_name = :name
                        ORDER BY attempt DESC LIMIT 1
                        """)
                .bind("instance", instanceId)
                .bind("name", name.value())
                .first(Row::step);
    }

    StepExecution update(StepExecution current, StepChange change, EnlistedWrite write) {
        RepositoryRules.check(current, change);
        var context = RepositoryBounds.context(change.context());
        var evidence = RepositoryBounds.evidence(change.evidence());
        return database.write(connection -> {
            Enlisted.write(write, connection);
            var update = guarded(connection, """
                            UPDATE step_execution SET status = :status, exit_code = :exit, version = version + 1,
                                context = :context, stop_timing = :timing, ended_at = :now, last_commit_at = :now,
                                failure_category = :category, failure_id = :failure, diagnostics = :diagnostics,
                                evidence = coalesce(:evidence, evidence),
                            """, current, change.counts());
            return update.bind("status", change.status())
                    .bind("exit", change.exitStatus().code())
                    .bind("context", context)
                    .bind("timing", change.stopTiming())
                    .bind("category", change.failure().map(FailureSummary::category))
                    .bind("failure", change.failure().map(FailureSummary::id))
                    .bind("diagnostics", change.diagnostics().map(RepositoryBounds::text))
                    .bind("evidence", evidence)
                    .firstOr(Row::step, () -> Guard.broken(connection, current));
        });
    }

    StepExecution commitChunk(StepExecution current, ChunkProgress progress, EnlistedWrite write) {
        var context = RepositoryBounds.context(progress.context());
        return database.write(connection -> {
            Enlisted.write(write, connection);
            return guarded(connection, """
                            UPDATE step_execution SET version = version + 1, context = :context, last_commit_at = :now,
                            """, current, progress.counts())
                    .bind("context", context)
                    .firstOr(Row::step, () -> Guard.broken(connection, current));
        });
    }

    private Sql guarded(Connection connection, String update, StepExecution current, StepCounts counts) {
        var sql = Sql.of(connection, update + Counts.ASSIGNMENTS + """
                        WHERE id = :id AND version = :version AND epoch = :epoch AND status = 'STARTED'
                        RETURNING *
                        """)
                .bind("id", current.id())
                .bind("version", current.version())
                .bind("epoch", current.epoch())
                .bind("now", clock.instant());
        return Counts.bind(sql, counts);
    }
}
