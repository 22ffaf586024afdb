package dev.weighlock.batch.jdbc.target;

import dev.weighlock.batch.BatchError;
import dev.weighlock.batch.BatchException;
import dev.weighlock.batch.chunk.Checkpoint;
import dev.weighlock.batch.chunk.CheckpointKey;
import dev.weighlock.batch.chunk.ChunkTarget;
import dev.weighlock.batch.chunk.TargetTransaction;
import dev.weighlock.batch.jdbc.sqlite.SqliteWait;
import dev.weighlock.batch.testing.CrashPoint;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.sqlite.SQLiteConnection;

/**
 * A chunk step's or partition's place in a SQLite file. Of one thread at a time. An older owner that was paused inside
 * its transaction keeps the file until it continues or is killed; the epoch fences it afterwards.
 */
final class SqliteTarget implements ChunkTarget {
    private static final Duration LOCK_WAIT = Duration.ofSeconds(30);

    private final SqliteDatabase database;
    private final Semaphore writing;
    private final SQLiteConnection connection;

    SqliteTarget(SqliteDatabase database, Semaphore writing, SQLiteConnection connection) {
        this.database = database;
        this.writing = writing;
        this.connection = connection;
    }

    @Override
    public Optional<Checkpoint> acquire(CheckpointKey key, long epoch) {
        try (var transaction = begin(key, epoch)) {
            requireTable();
            if (!CheckpointTable.acquire(connection, key, epoch, null)) {
                throw new BatchException(BatchError.FENCED, "step " + key.step() + " was taken over by a newer owner");
            }
            var stored = CheckpointTable.read(connection, key);
            transaction.commit();
            return stored;
        } catch (SQLException e) {
            throw database.unavailable("cannot keep a checkpoint", e);
        }
    }

    private void requireTable() throws SQLException {
        if (SqliteDatabase.hasCheckpoints(connection)) {
            return;
        }
        if (!database.settings().createCheckpoint()) {
            throw new BatchException(
                    BatchError.DELIVERY_UNAVAILABLE,
                    "the connection " + database.name()
                            + " has no table weighlock_checkpoint: create it, or say checkpoint: create");
        }
        connection.getDatabase().exec(CheckpointTable.CREATE, false);
    }

    @Override
    public Transaction begin(CheckpointKey key, long epoch) {
        acquireWriting();
        boolean begun = false;
        try {
            new SqliteWait(LOCK_WAIT).run(() -> connection.getDatabase().exec("BEGIN IMMEDIATE", false));
            begun = true;
            return new Transaction(key, epoch);
        } catch (SQLException e) {
            throw database.unavailable("stayed locked by another process", e);
        } finally {
            if (!begun) {
                writing.release();
            }
        }
    }

    private void acquireWriting() {
        try {
            if (!writing.tryAcquire(LOCK_WAIT.toMillis(), TimeUnit.MILLISECONDS)) {
                throw new BatchException(
                        BatchError.DELIVERY_UNAVAILABLE,
                        "the connection " + database.name() + " stayed locked by another chunk of this process");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new BatchException(
                    BatchError.DELIVERY_UNAVAILABLE, "interrupted while waiting to write to " + database.name(), e);
        }
    }

    @Override
    public Optional<Checkpoint> read(CheckpointKey key) {
        try (var fresh = database.connect()) {
            return CheckpointTable.read(fresh, key);
        } catch (SQLException e) {
            throw new BatchException(
                    BatchError.COMMIT_OUTCOME_UNKNOWN,
                    "the checkpoint of step " + key.step() + " in " + database.name() + " cannot be read: "
                            + e.getMessage(),
                    e);
        }
    }

    @Override
    public void close() {
        try {
            connection.close();
        } catch (SQLException e) {
            throw database.unavailable("cannot be closed", e);
        }
    }

    /** Holds the file's write lock and this process's turn until it is closed. */
    final class Transaction implements TargetTransaction {
        private final CheckpointKey key;
        private final long epoch;
        private boolean open = true;
        private boolean closed;

        private Transaction(CheckpointKey key, long epoch) {
            this.key = key;
            this.epoch = epoch;
        }

        @Override
        public <T> T unwrap(Class<T> type) {
            return JdbcTransactions.unwrap(connection, type, database.name());
        }

        @Override
        public void commit(Checkpoint checkpoint) {
            try {
                CheckpointTable.advance(connection, key, epoch, checkpoint);
                CrashPoint.reach("chunk.guarded");
                commit();
            } catch (SQLException e) {
                throw refused(e);
            }
        }

        /** A reader may still be in the file's way where it has no write-ahead log; the transaction stays open then. */
        private void commit() throws SQLException {
            new SqliteWait(LOCK_WAIT).run(() -> connection.getDatabase().exec("COMMIT", false));
            open = false;
        }

        private RuntimeException refused(SQLException e) {
            return SqliteWait.isRefusal(e)
                    ? new TargetException("the commit into " + database.name() + " was refused", e)
                    : new BatchException(
                            BatchError.COMMIT_OUTCOME_UNKNOWN,
                            "the commit into " + database.name() + " failed: " + e.getMessage(),
                            e);
        }

        @Override
        public void close() {
            if (closed) {
                return;
            }
            closed = true;
            try {
                if (open) {
                    connection.getDatabase().exec("ROLLBACK", false);
                }
            } catch (SQLException e) {
                throw database.unavailable("cannot roll back", e);
            } finally {
                writing.release();
            }
        }
    }
}
