package dev.weighlock.batch.jdbc.postgres;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.weighlock.batch.jdbc.server.PoolSource;
import dev.weighlock.batch.jdbc.server.Server;
import dev.weighlock.batch.jdbc.store.Session;
import dev.weighlock.batch.jdbc.store.StoreDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * One repository's database: a pool of connections with bounded waits.
 *
 * <p>Thread-safe; no lock of its own.
 */
final class PostgresDatabase implements StoreDatabase, AutoCloseable {
    private static final Duration SERVER_GRACE = Duration.ofSeconds(30);

    private final PostgresSettings settings;
    private final PostgresDialect dialect = new PostgresDialect();
    private final NodeBackends backends = new NodeBackends();
    private final HikariDataSource pool;
    private final WorkRunner runner;

    PostgresDatabase(PostgresSettings settings) {
        this.settings = settings;
        this.pool = new HikariDataSource(configuration());
        this.runner = new WorkRunner(pool, this::session, this::translate);
    }

    private HikariConfig configuration() {
        var config = new HikariConfig();
        var source = settings.server().source(settings.options());
        source.setApplicationName(settings.applicationName());
        // Longer than the server lets a statement run: only a network that went away takes that long.
        source.setSocketTimeout(
                (int) settings.statementTimeout().plus(SERVER_GRACE).toSeconds());
        config.setPoolName("weighlock-repository");
        config.setDataSource(new PoolSource(settings.server(), source, backends::opened));
        config.setMaximumPoolSize(settings.poolSize());
        config.setMinimumIdle(0);
        config.setIdleTimeout(60_000);
        // Not left to be asked for: an answer that is lost on the first connection would spoil all later ones.
        config.setTransactionIsolation("TRANSACTION_READ_COMMITTED");
        config.setConnectionTimeout(settings.connectTimeout().toMillis());
        // The first connection is asked for where its failure can be told.
        config.setInitializationFailTimeout(-1);
        return config;
    }

    PostgresSettings settings() {
        return settings;
    }

    /** What messages call the repository. */
    String name() {
        return settings.server().url();
    }

    NodeBackends backends() {
        return backends;
    }

    /** A connection of its own, outside the pool, in auto-commit mode; the caller closes it. */
    Connection connect() throws SQLException {
        return connect(settings.server(), secondsWithinLease());
    }

    /** The same by the way that notifications come through. */
    Connection connectForControl() throws SQLException {
        return connect(settings.controlServer(), secondsWithinLease());
    }

    /** The same for a node's first, which may take longer: there is no lease yet that runs out meanwhile. */
    Connection connectForRegistration() throws SQLException {
        int seconds = (int) Math.max(1, settings.connectTimeout().toSeconds());
        return connect(settings.controlServer(), seconds);
    }

    /** From now on no wait on it lasts so long that a lease runs out meanwhile. */
    void boundByLease(Connection control) throws SQLException {
        control.setNetworkTimeout(Runnable::run, (int) TimeUnit.SECONDS.toMillis(secondsWithinLease()));
    }

    private int secondsWithinLease() {
        return Math.clamp(settings.lease().toSeconds() / 6, 1, 10);
    }

    private Connection connect(Server server, int seconds) throws SQLException {
        var source = server.source(settings.options());
        source.setApplicationName(settings.applicationName() + " control");
        source.setConnectTimeout(seconds);
        source.setSocketTimeout(seconds);
        return server.connect(source);
    }

    /** Work that makes connections of its own. */
    @FunctionalInterface
    interface Connecting {
        void run() throws SQLException;
    }

    void connecting(Connecting work) {
        try {
            work.run();
        } catch (SQLException e) {
            throw translate(e);
        }
    }

    /** The pool's connections are made anew, once those that work on them give them back. */
    void renewConnections() {
        var management = pool.getHikariPoolMXBean();
        if (management != null) {
            management.softEvictConnections();
        }
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
