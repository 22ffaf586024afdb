package dev.weighlock.batch.jdbc.postgres;

import dev.weighlock.batch.jdbc.server.Server;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * How a process uses a repository on PostgreSQL. Every bound is checked here, before anything connects.
 *
 * @param schema of the tables; a lower-case name
 * @param poolSize connections for running work, 1 to 200; the control connection is not among them
 * @param connectTimeout how long a caller waits for a connection, 1 s to 5 min
 * @param statementTimeout the longest a statement of the repository may take, 1 s to 1 h
 * @param lockTimeout the longest a statement waits for a row, 100 ms to 10 min, below the statement timeout
 * @param heartbeat how often a node proves its life, 200 ms to 1 min
 * @param lease how long a node without a heartbeat counts as alive, at least three heartbeats
 * @param applicationName shown in {@code pg_stat_activity}
 * @param lockFolder where the node's lock file stands; nodes of one host that share it know each other's death at once
 * @param controlUrl of the control connection where the server's own leads through a pooler; credentials are the same
 */
public record PostgresSettings(
        Server server,
        String schema,
        int poolSize,
        Duration connectTimeout,
        Duration statementTimeout,
        Duration lockTimeout,
        Duration heartbeat,
        Duration lease,
        String applicationName,
        Path lockFolder,
        Optional<String> controlUrl) {
    private static final int MOST_CONNECTIONS = 200;
    private static final int LEAST_HEARTBEATS = 3;
    private static final int LONGEST_NAME = 63;

    public PostgresSettings {
        if (!schema.matches("[a-z_][a-z0-9_]{0,62}")) {
            throw new IllegalArgumentException("not a schema of a repository: " + schema);
        }
        if (poolSize < 1 || poolSize > MOST_CONNECTIONS) {
            throw new IllegalArgumentException("the pool has 1 to " + MOST_CONNECTIONS + " connections: " + poolSize);
        }
        check("the connect timeout", connectTimeout, Duration.ofSeconds(1), Duration.ofMinutes(5));
        check("the statement timeout", statementTimeout, Duration.ofSeconds(1), Duration.ofHours(1));
        check("the lock timeout", lockTimeout, Duration.ofMillis(100), Duration.ofMinutes(10));
        check("the heartbeat", heartbeat, Duration.ofMillis(200), Duration.ofMinutes(1));
        check("the lease", lease, heartbeat.multipliedBy(LEAST_HEARTBEATS), Duration.ofHours(1));
        if (lockTimeout.compareTo(statementTimeout) > 0) {
            throw new IllegalArgumentException("the lock timeout is above the statement timeout");
        }
        if (applicationName.isBlank() || applicationName.length() > LONGEST_NAME) {
            throw new IllegalArgumentException("an application name has 1 to " + LONGEST_NAME + " characters");
        }
    }

    private static void check(String what, Duration value, Duration least, Duration most) {
        if (value.compareTo(least) < 0 || value.compareTo(most) > 0) {
            throw new IllegalArgumentException(what + " is " + value + ", allowed are " + least + " to " + most);
        }
    }

    /** The defaults for a server. */
    public static PostgresSettings of(Server server) {
        return new PostgresSettings(
                server,
                "weighlock",
                10,
                Duration.ofSeconds(30),
                Duration.ofMinutes(2),
                Duration.ofSeconds(30),
                Duration.ofSeconds(5),
                Duration.ofSeconds(30),
                "weighlock",
                Path.of(System.getProperty("user.home"), ".weighlock", "nodes"),
                Optional.empty());
    }

    /** The defaults for {@code postgresql://HOST[:PORT]/DATABASE}. */
    public static PostgresSettings of(
            String url, Supplier<Optional<String>> user, Supplier<Optional<String>> password) {
        return of(new Server(url, user, password, Optional.empty()));
    }

    public PostgresSettings withSchema(String name) {
        return new PostgresSettings(
                server,
                name,
                poolSize,
                connectTimeout,
                statementTimeout,
                lockTimeout,
                heartbeat,
                lease,
                applicationName,
                lockFolder,
                controlUrl);
    }

    public PostgresSettings withPoolSize(int connections) {
        return new PostgresSettings(
                server,
                schema,
                connections,
                connectTimeout,
                statementTimeout,
                lockTimeout,
                heartbeat,
                lease,
                applicationName,
                lockFolder,
                controlUrl);
    }

    public PostgresSettings withConnectTimeout(Duration most) {
        return new PostgresSettings(
                server,
                schema,
                poolSize,
                most,
                statementTimeout,
                lockTimeout,
                heartbeat,
                lease,
                applicationName,
                lockFolder,
                controlUrl);
    }

    public PostgresSettings withLease(Duration beat, Duration leased) {
        return new PostgresSettings(
                server,
                schema,
                poolSize,
                connectTimeout,
                statementTimeout,
                lockTimeout,
                beat,
                leased,
                applicationName,
                lockFolder,
                controlUrl);
    }

    public PostgresSettings withLockFolder(Path folder) {
        return new PostgresSettings(
                server,
                schema,
                poolSize,
                connectTimeout,
                statementTimeout,
                lockTimeout,
                heartbeat,
                lease,
                applicationName,
                folder,
                controlUrl);
    }

    public PostgresSettings withControlUrl(String url) {
        return new PostgresSettings(
                server,
                schema,
                poolSize,
                connectTimeout,
                statementTimeout,
                lockTimeout,
                heartbeat,
                lease,
                applicationName,
                lockFolder,
                Optional.of(url));
    }

    /** The server as the control connection reaches it. */
    Server controlServer() {
        return controlUrl
                .map(url -> new Server(url, server.user(), server.password(), server.tls()))
                .orElse(server);
    }

    /** A transaction that sits idle this long is ended by the server: before its owner's lease is over. */
    Duration idleInTransaction() {
        return lease.multipliedBy(2).dividedBy(LEAST_HEARTBEATS);
    }

    /** The session's settings, as the server takes them when a connection begins. */
    String options() {
        return "-c TimeZone=UTC -c search_path=" + schema + ",public,pg_temp"
                + " -c statement_timeout=" + statementTimeout.toMillis()
                + " -c lock_timeout=" + lockTimeout.toMillis()
                + " -c idle_in_transaction_session_timeout="
                + idleInTransaction().toMillis();
    }
}
