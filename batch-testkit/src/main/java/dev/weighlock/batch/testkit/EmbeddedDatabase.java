package dev.weighlock.batch.testkit;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * A real PostgreSQL server for the tests of one JVM, durable as in production ({@code fsync} and
 * {@code synchronous_commit} on, which the embedding library turns off). It starts with the first use and ends with the
 * JVM; each test takes a database of its own.
 *
 * <p>Thread-safe.
 */
public final class EmbeddedDatabase {
    public static final String USER = "postgres";

    private static final AtomicInteger DATABASES = new AtomicInteger();
    private static @Nullable EmbeddedPostgres server;

    private EmbeddedDatabase() {}

    private static synchronized EmbeddedPostgres server() {
        var running = server;
        if (running == null) {
            try {
                running = EmbeddedPostgres.builder()
                        .setServerConfig("fsync", "on")
                        .setServerConfig("synchronous_commit", "on")
                        .setServerConfig("full_page_writes", "on")
                        .start();
            } catch (IOException e) {
                throw new UncheckedIOException("the embedded PostgreSQL does not start", e);
            }
            server = running;
        }
        return running;
    }

    /** Makes an empty database and returns its name. */
    public static String createDatabase() throws SQLException {
        var name = "test_" + DATABASES.incrementAndGet();
        try (var connection = connect(USER);
                var statement = connection.createStatement()) {
            statement.executeUpdate("CREATE DATABASE " + name);
        }
        return name;
    }

    /** A new connection in auto-commit mode; the caller closes it. */
    public static Connection connect(String database) throws SQLException {
        return server().getDatabase(USER, database).getConnection();
    }

    public static int port() {
        return server().getPort();
    }

    /** {@code postgresql://localhost:PORT/DATABASE}. */
    public static String url(String database) {
        return url(database, port());
    }

    /** The same through another port of this host, such as a {@link CutProxy}'s. */
    public static String url(String database, int port) {
        return "postgresql://localhost:" + port + "/" + database;
    }
}
