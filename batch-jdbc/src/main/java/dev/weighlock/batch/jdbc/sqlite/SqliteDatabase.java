package dev.weighlock.batch.jdbc.sqlite;

import dev.weighlock.batch.BatchError;
import dev.weighlock.batch.BatchException;
import dev.weighlock.batch.jdbc.store.Session;
import dev.weighlock.batch.jdbc.store.StoreDatabase;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Properties;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.sqlite.JDBC;
import org.sqlite.SQLiteConnection;

/**
 * One SQLite file: one writing connection behind a fair lock, a few reading ones, all opened when first needed.
 *
 * <p>Every write transaction is {@code BEGIN IMMEDIATE} and short. Between processes the wait is our own, with random
 * pauses: SQLite's busy timeout lets one of two durable writers starve.
 *
 * <p>Thread-safe. {@code writing} is held for a whole write transaction and guards {@code writer}; the monitor of
 * {@code idleReaders} guards the readers and is held for nothing else. Waits ignore interrupts, so that an interrupted
 * worker still writes its outcome; they are bounded by {@code lockWait}, and the interrupt is restored.
 */
final class SqliteDatabase implements StoreDatabase, AutoCloseable {
    private static final int READERS = 4;
    private static final int READ_WAIT_MILLIS = 5_000;

    private final Path file;
    private final Duration lockWait;
    private final SqliteDialect dialect;
    private final ReentrantLock writing = new ReentrantLock(true);
    private final Semaphore readers = new Semaphore(READERS, true);
    private final Deque<Connection> idleReaders = new ArrayDeque<>();
    private @Nullable SQLiteConnection writer;
    private boolean closed;

    SqliteDatabase(Path file, Clock clock, Duration lockWait) {
        this.file = file;
        this.lockWait = lockWait;
        this.dialect = new SqliteDialect(clock);
    }

    Path file() {
        return file;
    }

    /** A connection of its own, in auto-commit mode; the caller closes it. */
    SQLiteConnection connect() throws SQLException {
        var connection = JDBC.createConnection("jdbc:sqlite:" + file, new Properties());
        try {
            connection.setBusyTimeout(READ_WAIT_MILLIS);
            run(connection, "PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON");
            return connection;
        } catch (SQLException e) {
            connection.close();
            throw e;
        }
    }

    Session session(Connection connection) {
        return new Session(connection, dialect);
    }

    /** Runs several statements; only the driver's update call takes more than one. */
    static void run(Connection connection, String script) throws SQLException {
        try (var statement = connection.createStatement()) {
            statement.executeUpdate(script);
        }
    }

    /** All of a write is durable when this returns, none when it throws: no answer is ever lost on the way. */
    @Override
    public <T> T write(Work<T> work, ReadBack<T> committed) {
        return write(work);
    }

    @Override
    public <T> T writeOne(Work<T> work, ReadBack<T> committed) {
        return write(work);
    }

    @Override
    public <T> T writeOnce(Work<T> work, ReadBack<T> committed) {
        return write(work);
    }

    <T> T write(Work<T> work) {
        var wait = new LockWait(lockWait);
        boolean interrupted = acquireWriting(wait);
        try {
            interrupted |= Thread.interrupted();
            var connection = writer();
            begin(connection, wait);
            return finish(connection, work);
        } catch (SQLException e) {
            throw SqliteErrors.translate(file, e);
        } finally {
            writing.unlock();
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private boolean acquireWriting(LockWait wait) {
        boolean interrupted = false;
        while (true) {
            try {
                if (!writing.tryLock(wait.remainingNanos(), TimeUnit.NANOSECONDS)) {
                    throw locked("a thread of this process holds its writing connection");
                }
                return interrupted;
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
    }

    private SQLiteConnection writer() throws SQLException {
        if (closed) {
            throw new IllegalStateException("the repository " + file + " is closed");
        }
        var connection = writer;
        if (connection == null) {
            connection = connect();
            // The driver must not open transactions of its own; the enlisted writer sees auto-commit off.
            connection.getConnectionConfig().setAutoCommit(false);
            connection.setBusyTimeout(0);
            writer = connection;
        }
        return connection;
    }

    private void begin(SQLiteConnection connection, LockWait wait) throws SQLException {
        while (true) {
            try {
                connection.getDatabase().exec("BEGIN IMMEDIATE", false);
                return;
            } catch (SQLException e) {
                if (!SqliteErrors.isBusy(e)) {
                    throw e;
                }
            }
            if (wait.isOver()) {
                throw locked(holder());
            }
            wait.pause();
        }
    }

    /** Turns a new file to write-ahead logging, which stays; nobody may be in the file at that moment. */
    void switchToWal() {
        var wait = new LockWait(lockWait);
        try (var connection = connect()) {
            connection.setBusyTimeout(0);
            while (!tryWal(connection)) {
                if (wait.isOver()) {
                    throw locked(holder());
                }
                wait.pause();
            }
        } catch (SQLException e) {
            throw SqliteErrors.translate(file, e);
        }
    }

    private boolean tryWal(Connection connection) throws SQLException {
        try {
            return session(connection)
                    .sql("PRAGMA journal_mode = WAL")
                    .one(row -> row.text("journal_mode"))
                    .equals("wal");
        } catch (SQLException e) {
            if (SqliteErrors.isBusy(e)) {
                return false;
            }
            throw e;
        }
    }

    private <T> T finish(SQLiteConnection connection, Work<T> work) throws SQLException {
        try {
            T result = work.run(session(connection));
            connection.getDatabase().exec("COMMIT", false);
            return result;
        } catch (SQLException | RuntimeException | Error e) {
            rollback(connection, e);
            throw e;
        }
    }

    /** A connection that cannot roll back is not used again; closing it rolls back. */
    private void rollback(SQLiteConnection connection, Throwable cause) {
        try {
            connection.getDatabase().exec("ROLLBACK", false);
        } catch (SQLException e) {
            cause.addSuppressed(e);
            writer = null;
            try {
                connection.close();
            } catch (SQLException again) {
                cause.addSuppressed(again);
            }
        }
    }

    private String holder() {
        var pid = LockHolder.find(file);
        return pid.isPresent()
                ? "process " + pid.getAsLong() + " holds its write lock: let it continue or end it"
                : "another process holds its write lock: let it continue or end it";
    }

    private BatchException locked(String why) {
        return new BatchException(
                BatchError.REPOSITORY_UNAVAILABLE,
                "the repository " + file + " stayed locked for " + lockWait.toMillis() + " ms: " + why);
    }

    @Override
    public <T> T read(Work<T> work) {
        readers.acquireUninterruptibly();
        try {
            var connection = reader();
            try {
                return work.run(session(connection));
            } finally {
                giveBack(connection);
            }
        } catch (SQLException e) {
            throw SqliteErrors.translate(file, e);
        } finally {
            readers.release();
        }
    }

    private Connection reader() throws SQLException {
        synchronized (idleReaders) {
            if (closed) {
                throw new IllegalStateException("the repository " + file + " is closed");
            }
            var idle = idleReaders.poll();
            if (idle != null) {
                return idle;
            }
        }
        return connect();
    }

    private void giveBack(Connection connection) throws SQLException {
        synchronized (idleReaders) {
            if (!closed) {
                idleReaders.push(connection);
                return;
            }
        }
        connection.close();
    }

    /** Waits for a running write, closes every connection, throws the first failure. Idempotent. */
    @Override
    public void close() {
        writing.lock();
        try {
            var open = new ArrayDeque<Connection>();
            synchronized (idleReaders) {
                closed = true;
                open.addAll(idleReaders);
                idleReaders.clear();
            }
            if (writer != null) {
                open.add(writer);
                writer = null;
            }
            closeAll(open);
        } finally {
            writing.unlock();
        }
    }

    private void closeAll(Iterable<Connection> connections) {
        @Nullable SQLException first = null;
        for (var connection : connections) {
            try {
                connection.close();
            } catch (SQLException e) {
                if (first == null) {
                    first = e;
                } else {
                    first.addSuppressed(e);
                }
            }
        }
        if (first != null) {
            throw SqliteErrors.translate(file, first);
        }
    }
}
