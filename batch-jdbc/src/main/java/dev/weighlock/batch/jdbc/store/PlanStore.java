package dev.weighlock.batch.jdbc.store;

import dev.weighlock.batch.ExecutionContext;
import dev.weighlock.batch.StepExecution;
import dev.weighlock.batch.repository.PlannedPartition;
import dev.weighlock.batch.repository.RepositoryBounds;
import dev.weighlock.batch.repository.RepositoryRefusals;
import dev.weighlock.batch.repository.RepositoryRules;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;

/** The plan of a partitioned step: stored whole before any of it starts, copied whole into a restart. */
public final class PlanStore {
    private static final int BATCH = 1_000;

    private final StoreDatabase database;

    public PlanStore(StoreDatabase database) {
        this.database = database;
    }

    public void plan(StepExecution step, List<PlannedPartition> plan) {
        RepositoryRules.check(plan);
        database.write(
                session -> {
                    keepOwned(session, step);
                    if (count(session, step) > 0) {
                        throw RepositoryRefusals.planned(step.id());
                    }
                    insert(session.connection(), step, plan);
                    return (long) plan.size();
                },
                session -> counted(session, step));
    }

    /** Only the step's owner plans, once: what is there is its own. */
    private static Optional<Long> counted(Session session, StepExecution step) throws SQLException {
        return Optional.of(count(session, step)).filter(partitions -> partitions > 0);
    }

    /** The guard comes first here and is kept: nobody takes the step over before the plan is committed. */
    private static void keepOwned(Session session, StepExecution step) throws SQLException {
        session.sql("""
                        SELECT owner.id FROM step_execution owner
                        WHERE owner.id = :id AND owner.epoch = :epoch AND owner.ended_at IS NULL {share}
                        """)
                .bind("id", step.id())
                .bind("epoch", step.epoch())
                .firstOr(row -> true, () -> Guard.broken(session, step));
    }

    private static void insert(Connection connection, StepExecution step, List<PlannedPartition> plan)
            throws SQLException {
        try (var insert = connection.prepareStatement("""
                INSERT INTO partition_execution
                    (step_execution_id, ordinal, partition_key, input, context, status, exit_code)
                VALUES (?, ?, ?, ?, ?, 'PLANNED', 'UNKNOWN')
                """)) {
            for (int ordinal = 0; ordinal < plan.size(); ordinal++) {
                var partition = plan.get(ordinal);
                insert.setLong(1, step.id());
                insert.setInt(2, ordinal);
                insert.setString(3, partition.key());
                insert.setString(4, RepositoryBounds.partitionContext(partition.input()));
                insert.setString(5, ExecutionContext.EMPTY.toJson());
                insert.addBatch();
                if ((ordinal + 1) % BATCH == 0) {
                    insert.executeBatch();
                }
            }
            insert.executeBatch();
        }
    }

    public long copy(StepExecution to) {
        return database.write(
                session -> {
                    keepOwned(session, to);
                    insertCopy(session, to);
                    return count(session, to);
                },
                session -> counted(session, to));
    }

    private static void insertCopy(Session session, StepExecution to) throws SQLException {
        session.sql("""
                        INSERT INTO partition_execution (step_execution_id, ordinal, partition_key, input, context,
                            status, exit_code, claim, carried_over, started_at, ended_at, evidence,
                            read_count, process_count, write_count, filter_count, read_skip_count,
                            process_skip_count, write_skip_count, commit_count, rollback_count)
                        SELECT :to, ordinal, partition_key, input, context,
                            CASE WHEN done THEN 'COMPLETED' ELSE 'PLANNED' END,
                            CASE WHEN done THEN exit_code ELSE 'UNKNOWN' END, claim, done,
                            CASE WHEN done THEN started_at END, CASE WHEN done THEN ended_at END,
                            CASE WHEN done THEN evidence END,
                            CASE WHEN done THEN read_count ELSE 0 END, CASE WHEN done THEN process_count ELSE 0 END,
                            CASE WHEN done THEN write_count ELSE 0 END, CASE WHEN done THEN filter_count ELSE 0 END,
                            CASE WHEN done THEN read_skip_count ELSE 0 END,
                            CASE WHEN done THEN process_skip_count ELSE 0 END,
                            CASE WHEN done THEN write_skip_count ELSE 0 END,
                            CASE WHEN done THEN commit_count ELSE 0 END,
                            CASE WHEN done THEN rollback_count ELSE 0 END
                        FROM (SELECT *, status = 'COMPLETED' AS done FROM partition_execution
                              WHERE step_execution_id = (
                                SELECT s.id FROM step_execution s
                                WHERE s.instance_id = :instance AND s.step_name = :name AND s.attempt < :attempt
                                    AND s.attempt > (SELECT coalesce(max(c.attempt), 0) FROM step_execution c
                                        WHERE c.instance_id = :instance AND c.step_name = :name
                                            AND c.status = 'COMPLETED')
                                    AND EXISTS (SELECT 1 FROM partition_execution p
                                                WHERE p.step_execution_id = s.id)
                                ORDER BY s.attempt DESC LIMIT 1)) earlier
                        ORDER BY ordinal
                        """)
                .bind("to", to.id())
                .bind("instance", to.instanceId())
                .bind("name", to.name().value())
                .bind("attempt", to.attempt())
                .update();
    }

    private static long count(Session session, StepExecution step) throws SQLException {
        return session.sql("""
                        SELECT count(*) AS partitions FROM partition_execution WHERE step_execution_id = :step
                        """).bind("step", step.id()).one(row -> row.number("partitions"));
    }
}
