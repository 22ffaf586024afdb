package dev.weighlock.batch.jdbc.target;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.util.Credentials;
import dev.weighlock.batch.BatchError;
import dev.weighlock.batch.BatchException;
import dev.weighlock.batch.chunk.ChunkTarget;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * A PostgreSQL database that jobs write to or read from, behind a pool that grows with the work. Sessions run in UTC.
 *
 * <p>Thread-safe; the monitor guards {@code pool}, which is made with the first connection.
 */
final class PostgresDatabase extends Database {
    static final String PREFIX = "postgresql://";

    private static final Set<String> LOCAL = Set.of("localhost", "127.0.0.1", "[::1]");
    private static final String BAD_AUTHORIZATION = "28";
    private static final String BAD_CATALOG = "3D";
    private static final int MOST_CONNECTIONS = 64;
    private static final int CONNECT_MILLIS = 30_000;
    private static final int IDLE_MILLIS = 60_000;

    private @Nullable HikariDataSource pool;
    private boolean closed;
    /** Whether the server has ever let this process in. */
    private volatile boolean admitted;

    PostgresDatabase(DatabaseSettings settings) {
        super(settings);
    }

    @Override
    public Connection connect() throws SQLException {
        try {
            if (!admitted) {
                probe();
            }
            return pool().getConnection();
        } catch (SQLException e) {
            throw withoutCredentials(e);
        }
    }

    /** A refusal is told at once: the pool would ask again for half a minute, as it does for a server that is away. */
    private void probe() throws SQLException {
        var user = settings().user().get().orElse(null);
        var password = settings().password().get().orElse(null);
        var source = source();
        try (var _ = user == null ? source.getConnection() : source.getConnection(user, password)) {
            admitted = true;
        } catch (SQLException e) {
            var state = String.valueOf(e.getSQLState());
            if (state.startsWith(BAD_AUTHORIZATION) || state.startsWith(BAD_CATALOG)) {
                throw e;
            }
        }
    }

    /** A server names the user that it refuses, and the credentials may be secrets: no cause carries them on either. */
    private SQLException withoutCredentials(SQLException failure) {
        var message = new StringBuilder();
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            var text = String.valueOf(cause.getMessage());
            if (message.indexOf(text) < 0) {
                message.append(message.isEmpty() ? "" : ": ").append(text);
            }
        }
        var hidden = hide(
                hide(message.toString(), settings().user().get()),
                settings().password().get());
        var clean = new SQLException(hidden, failure.getSQLState(), failure.getErrorCode());
        clean.setStackTrace(failure.getStackTrace());
        return clean;
    }

    private static String hide(String text, Optional<String> credential) {
        return credential
                .filter(value -> !value.isBlank())
                .map(value -> text.replaceAll("(?<!\\w)" + Pattern.quote(value) + "(?!\\w)", "***"))
                .orElse(text);
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
        config.setDataSource(source());
        config.setMaximumPoolSize(MOST_CONNECTIONS);
        config.setMinimumIdle(0);
        config.setIdleTimeout(IDLE_MILLIS);
        config.setConnectionTimeout(CONNECT_MILLIS);
        // The first connection is asked for where its failure can be told.
        config.setInitializationFailTimeout(-1);
        settings()
                .user()
                .get()
                .ifPresent(user -> config.setCredentials(
                        Credentials.of(user, settings().password().get().orElse(null))));
        return config;
    }

    private PGSimpleDataSource source() {
        var source = new PGSimpleDataSource();
        source.setUrl("jdbc:" + settings().url());
        source.setOptions("-c TimeZone=UTC");
        source.setReWriteBatchedInserts(true);
        source.setTcpKeepAlive(true);
        var tls = settings().tls();
        if (tls.isPresent()) {
            source.setSslmode(tls.get().mode());
            tls.get().ca().ifPresent(ca -> source.setSslRootCert(ca.toString()));
        } else if (!isLocal(source)) {
            source.setSslmode("verify-full");
        }
        return source;
    }

    private static boolean isLocal(PGSimpleDataSource source) {
        for (var server : source.getServerNames()) {
            if (!LOCAL.contains(server)) {
                return false;
            }
        }
        return true;
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
