package dev.weighlock.batch.jdbc.postgres;

import dev.weighlock.batch.BatchError;
import dev.weighlock.batch.BatchException;
import dev.weighlock.batch.jdbc.store.Session;
import dev.weighlock.batch.jdbc.store.StoreDatabase.ReadBack;
import dev.weighlock.batch.jdbc.store.StoreDatabase.Work;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Runs work on a pool's connections, and finds out the truth when an answer never came: a commit that was sent may have
 * been done. What that connection is still doing is ended first, then the database is asked.
 *
 * <p>Thread-safe. An interrupt shortens no wait, so that an interrupted worker still writes its outcome; it is restored.
 */
final class WorkRunner {
    private static final int TRIES = 4;
    private static final long FIRST_PAUSE_MILLIS = 20;

    private final DataSource pool;
    private final Function<Connection, Session> sessions;
    private final Function<SQLException, RuntimeException> failures;

    /** @param failures says what an exception means to a caller */
    WorkRunner(
            DataSource pool,
            Function<Connection, Session> sessions,
            Function<SQLException, RuntimeException> failures) {
        this.pool = pool;
        this.sessions = sessions;
        this.failures = failures;
    }

    /** A call that is made in one of several tries. */
    @FunctionalInterface
    private interface Try<T> {
        /** Empty: it came to nothing, and {@code last} says why, or throws it. */
        Optional<T> make() throws SQLException;
    }

    <T> T read(Work<T> work) {
        return inTries(TRIES, () -> {
            try (var connection = pool.getConnection()) {
                return Optional.ofNullable(work.run(sessions.apply(connection)));
            }
        });
    }

    /** The work is one statement, committed by itself. */
    <T> T writeOne(Work<T> work, ReadBack<T> committed) {
        return inTries(TRIES, () -> answered(new Attempt<>(work, false), committed));
    }

    <T> T write(Work<T> work, ReadBack<T> committed) {
        return inTries(TRIES, () -> answered(new Attempt<>(work, true), committed));
    }

    <T> T writeOnce(Work<T> work, ReadBack<T> committed) {
        return inTries(1, () -> answered(new Attempt<>(work, true), committed));
    }

    private <T> T inTries(int tries, Try<T> call) {
        boolean interrupted = Thread.interrupted();
        try {
            for (int tried = 1; ; tried++) {
                try {
                    return call.make().orElseThrow(() -> new IllegalStateException("work of a store gave nothing"));
                } catch (SQLException e) {
                    interrupted |= Thread.interrupted();
                    // The pool alone listens to interrupts, before any work has begun.
                    boolean woken = e.getCause() instanceof InterruptedException;
                    if (!woken && (tried >= tries || !PostgresErrors.isTransient(e))) {
                        throw failures.apply(e);
                    }
                }
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(FIRST_PAUSE_MILLIS << tried));
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** What the write came to, by its answer or by looking; throws when it came to nothing. */
    private <T> Optional<T> answered(Attempt<T> attempt, ReadBack<T> committed) throws SQLException {
        try {
            return Optional.of(attempt.run());
        } catch (SQLException e) {
            if (!attempt.mayBeCommitted || !PostgresErrors.isLost(e)) {
                throw e;
            }
            var found = lookFor(attempt, committed, e);
            if (found.isEmpty()) {
                throw e;
            }
            return found;
        }
    }

    private <T> Optional<T> lookFor(Attempt<T> attempt, ReadBack<T> committed, SQLException lost) {
        try {
            return read(session -> {
                attempt.endBackend(session);
                return committed.find(session);
            });
        } catch (BatchException e) {
            e.addSuppressed(lost);
            throw new BatchException(
                    BatchError.COMMIT_OUTCOME_UNKNOWN,
                    "a COMMIT was sent and no answer came, and the database does not tell: " + e.getMessage(),
                    e);
        }
    }

    /** One try of a write. */
    private final class Attempt<T> {
        private final Work<T> work;
        private final boolean transaction;
        private long connectedNanos;
        private int backendPid;
        private boolean mayBeCommitted;

        Attempt(Work<T> work, boolean transaction) {
            this.work = work;
            this.transaction = transaction;
        }

        T run() throws SQLException {
            try (var connection = pool.getConnection()) {
                connectedNanos = System.nanoTime();
                backendPid = Backends.pid(connection);
                return transaction ? inTransaction(connection) : alone(connection);
            }
        }

        private T alone(Connection connection) throws SQLException {
            mayBeCommitted = true;
            return work.run(sessions.apply(connection));
        }

        private T inTransaction(Connection connection) throws SQLException {
            connection.setAutoCommit(false);
            try {
                var result = work.run(sessions.apply(connection));
                mayBeCommitted = true;
                connection.commit();
                return result;
            } catch (SQLException | RuntimeException | Error e) {
                rollback(connection, e);
                throw e;
            }
        }

        private void endBackend(Session session) throws SQLException {
            Backends.end(session, backendPid, System.nanoTime() - connectedNanos);
        }
    }

    /** A connection that cannot roll back is broken: the pool closes it, and the server rolls back. */
    private static void rollback(Connection connection, @Nullable Throwable cause) {
        try {
            connection.rollback();
        } catch (SQLException e) {
            if (cause != null) {
                cause.addSuppressed(e);
            }
        }
    }
}
