package dev.weighlock.batch.jdbc.target;

import dev.weighlock.batch.BatchError;
import dev.weighlock.batch.BatchException;
import dev.weighlock.batch.chunk.Checkpoint;
import dev.weighlock.batch.chunk.CheckpointKey;
import dev.weighlock.batch.chunk.ChunkTarget;
import dev.weighlock.batch.chunk.TargetTransaction;
import dev.weighlock.batch.jdbc.server.Backend;
import dev.weighlock.batch.testing.CrashPoint;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A chunk step's or partition's place in a PostgreSQL database: one connection of the pool, replaced when it breaks. Of
 * one thread at a time.
 *
 * <p>The checkpoint row names the server process of its owner, so that a later owner ends the transaction that a paused
 * or vanished one left open, before it raises the epoch: such a transaction holds rows and could still commit. Who
 * closes in order takes its process out of the row.
 */
final class PostgresTarget implements ChunkTarget {
    private static final Logger LOG = LoggerFactory.getLogger(PostgresTarget.class);
    private static final String LOCK_TIMEOUT = "55P03";
    private static final int ACQUIRE_ATTEMPTS = 5;

    private final PostgresDatabase database;
    private @Nullable Connection connection;
    private @Nullable Backend backend;
    /** The row that names {@code backend}. */
    private @Nullable CheckpointKey named;

    PostgresTarget(PostgresDatabase database) {
        this.database = database;
    }

    @Override
    public Optional<Checkpoint> acquire(CheckpointKey key, long epoch) {
        for (int attempt = 1; ; attempt++) {
            try {
                return tryAcquire(key, epoch);
            } catch (SQLException e) {
                discard();
                if (attempt == ACQUIRE_ATTEMPTS || !mayPass(e)) {
                    throw database.unavailable("cannot keep a checkpoint", e);
                }
            }
            endHolder(key, epoch);
        }
    }

    /** Held by another transaction, or no answer: acquiring twice does no harm. */
    private static boolean mayPass(SQLException e) {
        var state = e.getSQLState();
        return state == null || state.equals(LOCK_TIMEOUT) || state.startsWith("08");
    }

    private Optional<Checkpoint> tryAcquire(CheckpointKey key, long epoch) throws SQLException {
        var open = connection();
        endOlderOwner(open, key, epoch);
        open.setAutoCommit(false);
        try (var statement = open.createStatement()) {
            statement.execute("SET LOCAL lock_timeout = '1s'");
            if (!CheckpointTable.acquire(open, key, epoch, backend)) {
                open.rollback();
                throw new BatchException(BatchError.FENCED, "step " + key.step() + " was taken over by a newer owner");
            }
            var stored = CheckpointTable.read(open, key);
            open.commit();
            named = key;
            return stored;
        }
    }

    private static void endOlderOwner(Connection open, CheckpointKey key, long epoch) throws SQLException {
        open.setAutoCommit(true);
        var older = CheckpointTable.holder(open, key, epoch - 1);
        if (older.isPresent()) {
            older.get().end(open);
        }
    }

    private void endHolder(CheckpointKey key, long epoch) {
        try (var other = database.connect()) {
            var holder = CheckpointTable.holder(other, key, epoch);
            if (holder.isPresent()) {
                holder.get().end(other);
            }
        } catch (SQLException e) {
            throw database.unavailable("cannot end the transaction of an older owner", e);
        }
    }

    private Connection connection() throws SQLException {
        var open = connection;
        if (open == null) {
            open = database.connect();
            connection = open;
            backend = Backend.of(open);
        }
        return open;
    }

    @Override
    public TargetTransaction begin(CheckpointKey key, long epoch) {
        if (connection == null) {
            // The row must name the process that holds its transactions, before there is one.
            acquire(key, epoch);
        }
        try {
            var open = connection();
            open.setAutoCommit(false);
            return new Transaction(open, key, epoch);
        } catch (SQLException e) {
            discard();
            throw database.unavailable("cannot begin a transaction", e);
        }
    }

    /** First ends what the broken connection may still be doing on the server: only then the answer stays true. */
    @Override
    public Optional<Checkpoint> read(CheckpointKey key) {
        var broken = backend;
        discard();
        try (var fresh = database.connect()) {
            if (broken != null) {
                broken.end(fresh);
            }
            return CheckpointTable.read(fresh, key);
        } catch (SQLException e) {
            throw new BatchException(
                    BatchError.COMMIT_OUTCOME_UNKNOWN,
                    "the checkpoint of step " + key.step() + " in " + database.name() + " cannot be read: "
                            + e.getMessage(),
                    e);
        }
    }

    /** The pool closes a connection that is broken; one that is well goes back to it. */
    private void discard() {
        var open = connection;
        connection = null;
        backend = null;
        named = null;
        if (open != null) {
            try {
                open.close();
            } catch (SQLException e) {
                throw database.unavailable("cannot give a connection back", e);
            }
        }
    }

    @Override
    public void close() {
        release();
        discard();
    }

    /** Not durable at once: what is lost with the server is a process that the server lost too. */
    private void release() {
        var open = connection;
        if (open == null || backend == null || named == null) {
            return;
        }
        try (var statement = open.createStatement()) {
            open.setAutoCommit(false);
            statement.execute("SET LOCAL synchronous_commit = off");
            CheckpointTable.release(open, named, backend);
            open.commit();
        } catch (SQLException e) {
            LOG.debug("the checkpoint of {} still names the server process of {}", named, database.name(), e);
        }
    }

    private final class Transaction implements TargetTransaction {
        private final Connection open;
        private final CheckpointKey key;
        private final long epoch;
        private boolean over;

        private Transaction(Connection open, CheckpointKey key, long epoch) {
            this.open = open;
            this.key = key;
            this.epoch = epoch;
        }

        @Override
        public <T> T unwrap(Class<T> type) {
            return JdbcTransactions.unwrap(open, type, database.name());
        }

        @Override
        public void commit(Checkpoint checkpoint) {
            try {
                CheckpointTable.advance(open, key, epoch, checkpoint);
                CrashPoint.reach("chunk.guarded");
            } catch (SQLException e) {
                throw new TargetException("the checkpoint in " + database.name() + " was refused", e);
            }
            try {
                open.commit();
                over = true;
            } catch (SQLException e) {
                throw unanswered(e);
            }
        }

        /** Only an answer of the server proves that it refused: class 08 is the driver's, 57 a server that goes away. */
        private RuntimeException unanswered(SQLException e) {
            var state = e.getSQLState() == null ? "08" : e.getSQLState();
            return state.startsWith("08") || state.startsWith("57")
                    ? new BatchException(
                            BatchError.COMMIT_OUTCOME_UNKNOWN,
                            "no answer to a COMMIT in " + database.name() + ": " + e.getMessage(),
                            e)
                    : new TargetException("the commit into " + database.name() + " was refused", e);
        }

        @Override
        public void close() {
            if (over) {
                return;
            }
            over = true;
            try {
                open.rollback();
            } catch (SQLException e) {
                // The server rolls back what a broken connection left.
                discard();
            }
        }
    }
}
