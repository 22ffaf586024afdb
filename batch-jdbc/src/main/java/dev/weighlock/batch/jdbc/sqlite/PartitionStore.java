package dev.weighlock.batch.jdbc.sqlite;

import dev.weighlock.batch.FailureSummary;
import dev.weighlock.batch.PartitionExecution;
import dev.weighlock.batch.PartitionStatus;
import dev.weighlock.batch.StepCounts;
import dev.weighlock.batch.StepExecution;
import dev.weighlock.batch.repository.ChunkProgress;
import dev.weighlock.batch.repository.EnlistedWrite;
import dev.weighlock.batch.repository.PartitionChange;
import dev.weighlock.batch.repository.PartitionTotals;
import dev.weighlock.batch.repository.RepositoryBounds;
import dev.weighlock.batch.repository.RepositoryRules;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Clock;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;

/** Partitions at work: claimed, committed, stopped and summed, all of a step's in one statement where possible. */
final class PartitionStore {
    private final SqliteDatabase database;
    private final Clock clock;

    PartitionStore(SqliteDatabase database, Clock clock) {
        this.database = database;
        this.clock = clock;
    }

    List<PartitionExecution> claim(StepExecution step, int most) {
        return database.write(connection -> {
            requireOwned(connection, step);
            var claimed = Sql.of(connection, """
                            UPDATE partition_execution SET status = 'STARTED', claim = claim + 1, started_at = :now
                            WHERE id IN (SELECT id FROM partition_execution
                                         WHERE step_execution_id = :step AND status = 'PLANNED'
                                         ORDER BY ordinal LIMIT :most)
                            RETURNING *
                            """)
                    .bind("step", step.id())
                    .bind("most", most)
                    .bind("now", clock.instant())
                    .list(Row::partition);
            return claimed.stream()
                    .sorted(Comparator.comparingInt(PartitionExecution::ordinal))
                    .toList();
        });
    }

    static void requireOwned(Connection connection, StepExecution step) throws SQLException {
        Sql.of(connection, "SELECT 1 FROM step_execution WHERE id = :id AND epoch = :epoch AND ended_at IS NULL")
                .bind("id", step.id())
                .bind("epoch", step.epoch())
                .firstOr(row -> true, () -> Guard.broken(connection, step));
    }

    PartitionExecution update(
            StepExecution step, PartitionExecution current, PartitionChange change, EnlistedWrite write) {
        RepositoryRules.check(current, change);
        var context = RepositoryBounds.partitionContext(change.context());
        var evidence = RepositoryBounds.evidence(change.evidence());
        return database.write(connection -> {
            Enlisted.write(write, connection);
            return guarded(connection, """
                            UPDATE partition_execution SET status = :status, exit_code = :exit, context = :context,
                                ended_at = :now, last_commit_at = :now,
                                failure_category = :category, failure_id = :failure, diagnostics = :diagnostics,
                                evidence = coalesce(:evidence, evidence),
                            """, step, current, change.counts())
                    .bind("status", change.status())
                    .bind("exit", change.exitStatus().code())
                    .bind("context", context)
                    .bind("category", change.failure().map(FailureSummary::category))
                    .bind("failure", change.failure().map(FailureSummary::id))
                    .bind("diagnostics", change.diagnostics().map(RepositoryBounds::text))
                    .bind("evidence", evidence)
                    .firstOr(Row::partition, () -> Guard.broken(connection, step, current));
        });
    }

    PartitionExecution commitChunk(
            StepExecution step, PartitionExecution current, ChunkProgress progress, EnlistedWrite write) {
        var context = RepositoryBounds.partitionContext(progress.context());
        return database.write(connection -> {
            Enlisted.write(write, connection);
            return guarded(
                            connection,
                            "UPDATE partition_execution SET context = :context, last_commit_at = :now,\n",
                            step,
                            current,
                            progress.counts())
                    .bind("context", context)
                    .firstOr(Row::partition, () -> Guard.broken(connection, step, current));
        });
    }

    private Sql guarded(
            Connection connection, String update, StepExecution step, PartitionExecution current, StepCounts counts) {
        var sql = Sql.of(connection, update + Counts.ASSIGNMENTS + """
                        WHERE id = :id AND claim = :claim AND status = 'STARTED' AND EXISTS (
                            SELECT 1 FROM step_execution s
                            WHERE s.id = partition_execution.step_execution_id AND s.id = :step AND s.epoch = :epoch
                                AND s.ended_at IS NULL)
                        RETURNING *
                        """)
                .bind("id", current.id())
                .bind("claim", current.claim())
                .bind("step", step.id())
                .bind("epoch", step.epoch())
                .bind("now", clock.instant());
        return Counts.bind(sql, counts);
    }

    long stopPlanned(StepExecution step) {
        return database.write(connection -> {
            requireOwned(connection, step);
            return (long) Sql.of(connection, """
                            UPDATE partition_execution SET status = 'STOPPED', exit_code = 'STOPPED', ended_at = :now
                            WHERE step_execution_id = :step AND status = 'PLANNED'
                            """)
                    .bind("step", step.id())
                    .bind("now", clock.instant())
                    .update();
        });
    }

    PartitionTotals totals(StepExecution step) {
        return database.read(connection -> {
            var byStatus = new EnumMap<PartitionStatus, Long>(PartitionStatus.class);
            var counts = Sql.of(connection, """
                            SELECT status, count(*) AS partitions,
                                sum(read_count * (1 - carried_over)) AS read_count,
                                sum(process_count * (1 - carried_over)) AS process_count,
                                sum(write_count * (1 - carried_over)) AS write_count,
                                sum(filter_count * (1 - carried_over)) AS filter_count,
                                sum(read_skip_count * (1 - carried_over)) AS read_skip_count,
                                sum(process_skip_count * (1 - carried_over)) AS process_skip_count,
                                sum(write_skip_count * (1 - carried_over)) AS write_skip_count,
                                sum(commit_count * (1 - carried_over)) AS commit_count,
                                sum(rollback_count * (1 - carried_over)) AS rollback_count
                            FROM partition_execution WHERE step_execution_id = :step GROUP BY status
                            """).bind("step", step.id()).list(row -> {
                byStatus.put(PartitionStatus.valueOf(row.text("status")), row.number("partitions"));
                return row.counts();
            });
            return new PartitionTotals(byStatus, counts.stream().reduce(StepCounts.ZERO, StepCounts::plus));
        });
    }
}
