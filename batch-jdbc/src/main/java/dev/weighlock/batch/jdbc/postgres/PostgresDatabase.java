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
    private final WorkRunner runner;

    PostgresDatabase(PostgresSettings settings) {
        this.settings = settings;
        this.pool = new HikariDataSource(configuration(settings));
        this.runner = new WorkRunner(pool, this::session, this::translate);
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
        return runner.read(work);
    }

    @Override
    public <T> T writeOne(Work<T> work, ReadBack<T> committed) {
        return runner.writeOne(work, committed);
    }

    @Override
    public <T> T write(Work<T> work, ReadBack<T> committed) {
        return runner.write(work, committed);
    }

    @Override
    public <T> T writeOnce(Work<T> work, ReadBack<T> committed) {
        return runner.writeOnce(work, committed);
    }

    private RuntimeException translate(SQLException e) {
        return PostgresErrors.translate(name(), settings.server().withoutCredentials(e));
    }

    @Override
    public void close() {
        pool.close();
    }
}
