package dev.weighlock.batch.jdbc.target;

import dev.weighlock.batch.BatchError;
import dev.weighlock.batch.BatchException;
import dev.weighlock.batch.ExecutionContext;
import dev.weighlock.batch.StepCounts;
import dev.weighlock.batch.chunk.Checkpoint;
import dev.weighlock.batch.chunk.CheckpointKey;
import dev.weighlock.batch.jdbc.server.Backend;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The table {@code weighlock_checkpoint}: one row for each chunk step and partition that writes into this database. Its
 * SQL is the same on SQLite and PostgreSQL. Stateless; the caller owns the transaction.
 */
final class CheckpointTable {
    static final String CREATE = """
            CREATE TABLE IF NOT EXISTS weighlock_checkpoint (
                repository_id VARCHAR(36) NOT NULL,
                instance_id BIGINT NOT NULL,
                step_name VARCHAR(128) NOT NULL,
                partition_key VARCHAR(128) NOT NULL,
                epoch BIGINT NOT NULL,
                sequence BIGINT NOT NULL,
                read_count BIGINT NOT NULL,
                process_count BIGINT NOT NULL,
                write_count BIGINT NOT NULL,
                filter_count BIGINT NOT NULL,
                read_skip_count BIGINT NOT NULL,
                process_skip_count BIGINT NOT NULL,
                write_skip_count BIGINT NOT NULL,
                commit_count BIGINT NOT NULL,
                rollback_count BIGINT NOT NULL,
                context TEXT NOT NULL,
                backend_pid BIGINT,
                backend_start VARCHAR(40),
                PRIMARY KEY (repository_id, instance_id, step_name, partition_key))
            """;

    private static final String ROW = " repository_id = ? AND instance_id = ? AND step_name = ? AND partition_key = ?";

    private CheckpointTable() {}

    /**
     * Whether the row is now this epoch's; false when a newer owner was there.
     *
     * @param backend the server process that holds the checkpoint's transactions; none in SQLite
     */
    static boolean acquire(Connection connection, CheckpointKey key, long epoch, @Nullable Backend backend)
            throws SQLException {
        try (var statement = connection.prepareStatement("""
                INSERT INTO weighlock_checkpoint (repository_id, instance_id, step_name, partition_key, epoch, sequence,
                    read_count, process_count, write_count, filter_count, read_skip_count, process_skip_count,
                    write_skip_count, commit_count, rollback_count, context, backend_pid, backend_start)
                VALUES (?, ?, ?, ?, ?, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, ?, ?, ?)
                ON CONFLICT (repository_id, instance_id, step_name, partition_key) DO UPDATE SET
                    epoch = excluded.epoch, backend_pid = excluded.backend_pid, backend_start = excluded.backend_start
                WHERE weighlock_checkpoint.epoch <= excluded.epoch
                """)) {
            int index = bind(statement, 1, key);
            statement.setLong(index++, epoch);
            statement.setString(index++, ExecutionContext.EMPTY.toJson());
            statement.setObject(index++, backend == null ? null : backend.pid(), Types.BIGINT);
            statement.setString(index, backend == null ? null : backend.start());
            return statement.executeUpdate() == 1;
        }
    }

    static Optional<Checkpoint> read(Connection connection, CheckpointKey key) throws SQLException {
        try (var statement = connection.prepareStatement("SELECT * FROM weighlock_checkpoint WHERE" + ROW)) {
            bind(statement, 1, key);
            try (var row = statement.executeQuery()) {
                return row.next() && row.getLong("sequence") > 0 ? Optional.of(checkpoint(row)) : Optional.empty();
            }
        }
    }

    /** The server process that an owner of at most this epoch left in the row. */
    static Optional<Backend> holder(Connection connection, CheckpointKey key, long epoch) throws SQLException {
        try (var statement = connection.prepareStatement("SELECT backend_pid, backend_start FROM weighlock_checkpoint"
                + " WHERE backend_pid IS NOT NULL AND epoch <= ? AND" + ROW)) {
            statement.setLong(1, epoch);
            bind(statement, 2, key);
            try (var row = statement.executeQuery()) {
                return row.next() ? Optional.of(new Backend(row.getLong(1), row.getString(2))) : Optional.empty();
            }
        }
    }

    /** Takes the owner's server process out of the row: its connection serves somebody else from now on. */
    static void release(Connection connection, CheckpointKey key, Backend backend) throws SQLException {
        try (var statement = connection.prepareStatement("UPDATE weighlock_checkpoint"
                + " SET backend_pid = NULL, backend_start = NULL WHERE backend_pid = ? AND backend_start = ? AND"
                + ROW)) {
            statement.setLong(1, backend.pid());
            statement.setString(2, backend.start());
            bind(statement, 3, key);
            statement.executeUpdate();
        }
    }

    private static Checkpoint checkpoint(ResultSet row) throws SQLException {
        var totals = new StepCounts(
                row.getLong("read_count"),
                row.getLong("process_count"),
                row.getLong("write_count"),
                row.getLong("filter_count"),
                row.getLong("read_skip_count"),
                row.getLong("process_skip_count"),
                row.getLong("write_skip_count"),
                row.getLong("commit_count"),
                row.getLong("rollback_count"));
        return new Checkpoint(
                row.getLong("epoch"),
                row.getLong("sequence"),
                totals,
                ExecutionContext.fromJson(row.getString("context")));
    }

    /**
     * The last statement of a chunk's transaction. It holds only on the checkpoint before this one, so that a chunk whose
     * COMMIT went through without an answer cannot be committed a second time. Sequence 0 begins anew.
     *
     * @throws BatchException FENCED, or COMMIT_OUTCOME_UNKNOWN when the row is not the one before
     */
    static void advance(Connection connection, CheckpointKey key, long epoch, Checkpoint checkpoint)
            throws SQLException {
        try (var statement = connection.prepareStatement("""
                UPDATE weighlock_checkpoint SET sequence = ?, read_count = ?, process_count = ?, write_count = ?,
                    filter_count = ?, read_skip_count = ?, process_skip_count = ?, write_skip_count = ?,
                    commit_count = ?, rollback_count = ?, context = ?
                WHERE epoch <= ? AND (sequence = ? OR ? = 0) AND""" + ROW)) {
            var totals = checkpoint.totals();
            long[] values = {
                checkpoint.sequence(),
                totals.read(),
                totals.processed(),
                totals.written(),
                totals.filtered(),
                totals.readSkips(),
                totals.processSkips(),
                totals.writeSkips(),
                totals.commits(),
                totals.rollbacks()
            };
            int index = 1;
            for (long value : values) {
                statement.setLong(index++, value);
            }
            statement.setString(index++, checkpoint.context().toJson());
            statement.setLong(index++, epoch);
            statement.setLong(index++, checkpoint.sequence() - 1);
            statement.setLong(index++, checkpoint.sequence());
            bind(statement, index, key);
            if (statement.executeUpdate() != 1) {
                throw refusal(connection, key, epoch);
            }
        }
    }

    static long remove(Connection connection, UUID repositoryId, List<Long> instanceIds) throws SQLException {
        long removed = 0;
        try (var statement = connection.prepareStatement(
                "DELETE FROM weighlock_checkpoint WHERE repository_id = ? AND instance_id = ?")) {
            for (long instance : instanceIds) {
                statement.setString(1, repositoryId.toString());
                statement.setLong(2, instance);
                removed += statement.executeUpdate();
            }
        }
        return removed;
    }

    private static BatchException refusal(Connection connection, CheckpointKey key, long epoch) throws SQLException {
        var what = "the checkpoint of step " + key.step()
                + (key.partition().isEmpty() ? "" : ", partition " + key.partition());
        try (var statement = connection.prepareStatement("SELECT epoch FROM weighlock_checkpoint WHERE" + ROW)) {
            bind(statement, 1, key);
            try (var row = statement.executeQuery()) {
                return row.next() && row.getLong(1) > epoch
                        ? fenced(what, row.getLong(1), epoch)
                        : new BatchException(
                                BatchError.COMMIT_OUTCOME_UNKNOWN, what + " is not the one before this chunk");
            }
        }
    }

    static BatchException fenced(String what, long stored, long mine) {
        return new BatchException(
                BatchError.FENCED, what + " was taken over: its epoch is " + stored + ", this writer's " + mine);
    }

    private static int bind(PreparedStatement statement, int first, CheckpointKey key) throws SQLException {
        int index = first;
        statement.setString(index++, key.repositoryId().toString());
        statement.setLong(index++, key.instanceId());
        statement.setString(index++, key.step().value());
        statement.setString(index++, key.partition());
        return index;
    }
}
