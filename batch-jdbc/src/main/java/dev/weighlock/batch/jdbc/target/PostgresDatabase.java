package dev.weighlock.batch.jdbc.target;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.weighlock.batch.BatchError;
import dev.weighlock.batch.BatchException;
import dev.weighlock.batch.chunk.ChunkTarget;
import dev.weighlock.batch.jdbc.server.PoolSource;
import dev.weighlock.batch.jdbc.server.Server;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * A PostgreSQL database that jobs write to or read from, behind a pool that grows with the work. Sessions run in UTC.
 *
 * <p>Thread-safe; the monitor guards {@code pool}, which is made with the first connection.
 */
final class PostgresDatabase extends Database {
    private static final int MOST_CONNECTIONS = 64;
    private static final int CONNECT_MILLIS = 30_000;
    private static final int IDLE_MILLIS = 60_000;
    private static final long PAUSE_NANOS = 100_000_000;
    private static final int UNKNOWN = -1;

    private final Server server;
    private @Nullable HikariDataSource pool;
    private boolean closed;
    /** The isolation that the server gives new sessions, once it has let this process in. */
    private volatile int isolation = UNKNOWN;

    PostgresDatabase(DatabaseSettings settings) {
        super(settings);
        server = settings.server();
    }

    @Override
    public Connection connect() throws SQLException {
        try {
            if (isolation == UNKNOWN) {
                isolation = askIsolation();
            }
            return pool().getConnection();
        } catch (SQLException e) {
            throw server.withoutCredentials(e);
        }
    }

    /**
     * Before there is a pool, which asks on its first connection alone and is of no use any more when that answer is lost.
     * A server that is away is waited for as the pool waits; a refusal, which waiting does not help, is told at once.
     */
    private int askIsolation() throws SQLException {
        long begun = System.nanoTime();
        while (true) {
            try (var connection = server.connect(source())) {
                return connection.getTransactionIsolation();
            } catch (SQLException e) {
                if (Server.isRefusal(e) || isOver(begun)) {
                    throw e;
                }
            }
            LockSupport.parkNanos(PAUSE_NANOS);
        }
    }

    private synchronized boolean isOver(long begun) {
        return closed
                || Thread.currentThread().isInterrupted()
                || System.nanoTime() - begun > TimeUnit.MILLISECONDS.toNanos(CONNECT_MILLIS);
    }

    private synchronized HikariDataSource pool() {
        if (closed) {
            throw new IllegalStateException("the connection " + name() + " is closed");
        }
        var existing = pool;
        if (existing != null) {
            return existing;
        }
        var made = new HikariDataSource(configuration());
        pool = made;
        return made;
    }

    private HikariConfig configuration() {
        var config = new HikariConfig();
        config.setPoolName("weighlock-" + name());
        config.setDataSource(new PoolSource(server, source()));
        config.setMaximumPoolSize(MOST_CONNECTIONS);
        config.setMinimumIdle(0);
        config.setIdleTimeout(IDLE_MILLIS);
        config.setTransactionIsolation(Integer.toString(isolation));
        config.setConnectionTimeout(CONNECT_MILLIS);
        // The first connection is asked for where its failure can be told.
        config.setInitializationFailTimeout(-1);
        return config;
    }

    private PGSimpleDataSource source() {
        return server.source("-c TimeZone=UTC");
    }

    @Override
    public ChunkTarget chunkTarget() {
        try {
            ensureCheckpoints();
            return new PostgresTarget(this);
        } catch (SQLException e) {
            throw unavailable("cannot keep a checkpoint", e);
        }
    }

    private void ensureCheckpoints() throws SQLException {
        try (var connection = connect();
                var statement = connection.createStatement()) {
            try (var row = statement.executeQuery("SELECT to_regclass('weighlock_checkpoint') IS NOT NULL")) {
                row.next();
                if (row.getBoolean(1)) {
                    return;
                }
            }
            if (!settings().createCheckpoint()) {
                throw new BatchException(
                        BatchError.DELIVERY_UNAVAILABLE,
                        "the connection " + name()
                                + " has no table weighlock_checkpoint: create it, or say checkpoint: create");
            }
            create(connection);
        }
    }

    /** Two that create at once would break a unique index of the catalogue, IF NOT EXISTS or not. */
    private static void create(Connection connection) throws SQLException {
        connection.setAutoCommit(false);
        try (var statement = connection.createStatement()) {
            statement.execute("SELECT pg_advisory_xact_lock(hashtext('weighlock_checkpoint'))");
            statement.executeUpdate(CheckpointTable.CREATE);
            connection.commit();
        } catch (SQLException e) {
            connection.rollback();
            throw e;
        } finally {
            connection.setAutoCommit(true);
        }
    }

    @Override
    boolean copies() {
        return true;
    }

    @Override
    public synchronized void close() {
        closed = true;
        if (pool != null) {
            pool.close();
            pool = null;
        }
    }
}
