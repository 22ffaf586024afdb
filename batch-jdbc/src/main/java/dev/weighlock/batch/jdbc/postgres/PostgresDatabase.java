package dev.weighlock.batch.jdbc.postgres;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.weighlock.batch.jdbc.store.Session;
import dev.weighlock.batch.jdbc.store.StoreDatabase;
import java.sql.Connection;
import java.sql.SQLException;

/**
 * One repository's database: a pool of connections with bounded waits.
 *
 * <p>Thread-safe; no lock of its own.
 */
final class PostgresDatabase implements StoreDatabase, AutoCloseable {
    private final PostgresSettings settings;
    private final PostgresDialect dialect = new PostgresDialect();
    private final HikariDataSource pool;

    PostgresDatabase(PostgresSettings settings) {
        this.settings = settings;
        this.pool = new HikariDataSource(configuration(settings));
    }

    private static HikariConfig configuration(PostgresSettings settings) {
        var config = new HikariConfig();
        var source = settings.server().source(settings.options());
        source.setApplicationName(settings.applicationName());
        config.setPoolName("weighlock-repository");
        config.setDataSource(source);
        config.setMaximumPoolSize(settings.poolSize());
        config.setMinimumIdle(0);
        config.setIdleTimeout(60_000);
        config.setConnectionTimeout(settings.connectTimeout().toMillis());
        // The first connection is asked for where its failure can be told.
        config.setInitializationFailTimeout(-1);
        settings.server().credentials().ifPresent(config::setCredentials);
        return config;
    }

    PostgresSettings settings() {
        return settings;
    }

    /** What messages call the repository. */
    String name() {
        return settings.server().url();
    }

    /** A connection of its own, outside the pool, in auto-commit mode; the caller closes it. */
    Connection connect() throws SQLException {
        var source = settings.server().source(settings.options());
        source.setApplicationName(settings.applicationName() + " control");
        return settings.server().connect(source);
    }

    Session session(Connection connection) {
        return new Session(connection, dialect);
    }

    @Override
    public <T> T read(Work<T> work) {
        return run(work);
    }

    @Override
    public <T> T writeOne(Work<T> work, ReadBack<T> committed) {
        return run(work);
    }

    private <T> T run(Work<T> work) {
        try (var connection = pool.getConnection()) {
            return work.run(session(connection));
        } catch (SQLException e) {
            throw translate(e);
        }
    }

    @Override
    public <T> T write(Work<T> work, ReadBack<T> committed) {
        return writeOnce(work, committed);
    }

    @Override
    public <T> T writeOnce(Work<T> work, ReadBack<T> committed) {
        try (var connection = pool.getConnection()) {
            connection.setAutoCommit(false);
            try {
                var result = work.run(session(connection));
                connection.commit();
                return result;
            } catch (SQLException | RuntimeException | Error e) {
                rollback(connection, e);
                throw e;
            } finally {
                connection.setAutoCommit(true);
            }
        } catch (SQLException e) {
            throw translate(e);
        }
    }

    private static void rollback(Connection connection, Throwable cause) {
        try {
            connection.rollback();
        } catch (SQLException e) {
            cause.addSuppressed(e);
        }
    }

    private RuntimeException translate(SQLException e) {
        return PostgresErrors.translate(name(), settings.server().withoutCredentials(e));
    }

    @Override
    public void close() {
        pool.close();
    }
}
