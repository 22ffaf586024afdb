package dev.weighlock.batch.testkit;

import java.sql.Connection;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/**
 * The one PostgreSQL server that the tests of a JVM share: it starts with the first use and ends with the JVM; each test
 * takes a database of its own.
 *
 * <p>Thread-safe.
 */
public final class EmbeddedDatabase {
    public static final String USER = "postgres";

    private static @Nullable EmbeddedServer server;

    private EmbeddedDatabase() {}

    public static synchronized EmbeddedServer server() {
        var running = server;
        if (running == null) {
            running = EmbeddedServer.start();
            server = running;
        }
        return running;
    }

    /** Makes an empty database and returns its name. */
    public static String createDatabase() throws SQLException {
        return server().createDatabase();
    }

    /** A new connection in auto-commit mode; the caller closes it. */
    public static Connection connect(String database) throws SQLException {
        return server().connect(database);
    }

    public static int port() {
        return server().port();
    }

    /** {@code postgresql://localhost:PORT/DATABASE}. */
    public static String url(String database) {
        return server().url(database);
    }

    /** The same through another port of this host, such as a {@link CutProxy}'s. */
    public static String url(String database, int port) {
        return "postgresql://localhost:" + port + "/" + database;
    }
}
