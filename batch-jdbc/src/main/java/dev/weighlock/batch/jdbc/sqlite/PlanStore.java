package dev.weighlock.batch.jdbc.sqlite;

import dev.weighlock.batch.ExecutionContext;
import dev.weighlock.batch.StepExecution;
import dev.weighlock.batch.repository.PlannedPartition;
import dev.weighlock.batch.repository.RepositoryBounds;
import dev.weighlock.batch.repository.RepositoryRefusals;
import dev.weighlock.batch.repository.RepositoryRules;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

/** The plan of a partitioned step: stored whole before any of it starts, copied whole into a restart. */
final class PlanStore {
    private static final int BATCH = 1_000;

    private final SqliteDatabase database;

    PlanStore(SqliteDatabase database) {
        this.database = database;
    }

    void plan(StepExecution step, List<PlannedPartition> plan) {
        RepositoryRules.check(plan);
        database.write(connection -> {
            PartitionStore.requireOwned(connection, step);
            if (count(connection, step) > 0) {
                throw RepositoryRefusals.planned(step.id());
            }
            insert(connection, step, plan);
            return plan.size();
        });
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

    long copy(StepExecution to) {
        return database.write(connection -> {
            PartitionStore.requireOwned(connection, to);
            Sql.of(connection, """
                            INSERT INTO partition_execution (step_execution_id, ordinal, partition_key, input, context,
                                status, exit_code, claim, carried_over, started_at, ended_at, evidence,
                                read_count, process_count, write_count, filter_count, read_skip_count,
                                process_skip_count, write_skip_count, commit_count, rollback_count)
                            SELECT :to, ordinal, partition_key, input, context,
                                iif(done, 'COMPLETED', 'PLANNED'), iif(done, exit_code, 'UNKNOWN'), claim, done,
                                iif(done, started_at, NULL), iif(done, ended_at, NULL), iif(done, evidence, NULL),
                                done * read_count, done * process_count, done * write_count, done * filter_count,
                                done * read_skip_count, done * process_skip_count, done * write_skip_count,
                                done * commit_count, done * rollback_count
                            FROM (SELECT *, status = 'COMPLETED' AS done FROM partition_execution
                                  WHERE step_execution_id = (
                                    SELECT s.id FROM step_execution s
                                    WHERE s.instance_id = :instance AND s.step_name = :name AND s.attempt < :attempt
                                        AND s.attempt > (SELECT coalesce(max(c.attempt), 0) FROM step_execution c
                                            WHERE c.instance_id = :instance AND c.step_name = :name
                                                AND c.status = 'COMPLETED')
                                        AND EXISTS (SELECT 1 FROM partition_execution p
                                                    WHERE p.step_execution_id = s.id)
                                    ORDER BY s.attempt DESC LIMIT 1))
                            ORDER BY ordinal
                            """)
                    .bind("to", to.id())
                    .bind("instance", to.instanceId())
                    .bind("name", to.name().value())
                    .bind("attempt", to.attempt())
                    .update();
            return count(connection, to);
        });
    }

    private static long count(Connection connection, StepExecution step) throws SQLException {
        return Sql.of(connection, """
                        SELECT count(*) AS partitions FROM partition_execution WHERE step_execution_id = :step
                        """).bind("step", step.id()).one(row -> row.number("partitions"));
    }
}
