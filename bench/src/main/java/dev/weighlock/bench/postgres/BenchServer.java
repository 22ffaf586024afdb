package dev.weighlock.bench.postgres;

import dev.weighlock.batch.testkit.EmbeddedServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

/** The server that all sides share, durable as in production; it ends with the JVM. */
public final class BenchServer {
    private static final List<String> TABLES = List.of(
            "CREATE TABLE item (id BIGINT NOT NULL, name TEXT NOT NULL)",
            "CREATE TABLE sale (id BIGINT NOT NULL, day DATE, shop TEXT, amount NUMERIC(12, 2), note TEXT)",
            "CREATE TABLE business (id BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY, text TEXT NOT NULL)",
            "CREATE TABLE part (id BIGINT PRIMARY KEY, status TEXT NOT NULL)",
            "CREATE TABLE run (id BIGINT PRIMARY KEY, status TEXT NOT NULL, position BIGINT NOT NULL)");

    private final EmbeddedServer server = EmbeddedServer.start();
    private final Path locks;

    /** Its nodes' lock files go to a folder below this one. */
    public BenchServer(Path folder) throws IOException {
        locks = Files.createDirectory(folder.resolve("nodes"));
    }

    /** A new database with the tables that jobs write to. */
    public Place place(int pool) throws SQLException {
        Place place = new Place(server.createDatabase(), server.port(), pool, locks);
        for (String table : TABLES) {
            run(place, table);
        }
        return place;
    }

    /** Lets the server write what it holds, so that it ends quickly. */
    public void settle() throws SQLException {
        try (var connection = server.connect("postgres");
                var statement = connection.createStatement()) {
            statement.execute("CHECKPOINT");
        }
    }

    int port() {
        return server.port();
    }

    public String version() throws SQLException {
        return text("postgres", "SHOW server_version");
    }

    void run(Place place, String sql) throws SQLException {
        try (var connection = server.connect(place.database());
                var statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    long number(Place place, String sql) throws SQLException {
        return Long.parseLong(text(place.database(), sql));
    }

    /** Whether a relation is there. */
    boolean exists(Place place, String relation) throws SQLException {
        return !text(place.database(), "SELECT coalesce(to_regclass('" + relation + "')::text, '')")
                .isEmpty();
    }

    /** A connection in auto-commit mode; the caller closes it. */
    Connection connect(Place place) throws SQLException {
        return server.connect(place.database());
    }

    private String text(String database, String sql) throws SQLException {
        try (var connection = server.connect(database);
                var statement = connection.createStatement();
                var row = statement.executeQuery(sql)) {
            row.next();
            return row.getString(1);
        }
    }

    /** Transactions that the server counts in a database; every connection to it is over, so none is still untold. */
    long commits(Place place) throws SQLException, InterruptedException {
        String connected = "SELECT count(*) FROM pg_stat_activity WHERE datname = '" + place.database() + "'";
        for (int tries = 0; Long.parseLong(text("postgres", connected)) > 0; tries++) {
            if (tries == 500) {
                throw new IllegalStateException("connections to " + place.database() + " stay open");
            }
            Thread.sleep(20);
        }
        return Long.parseLong(text(
                "postgres", "SELECT xact_commit FROM pg_stat_database WHERE datname = '" + place.database() + "'"));
    }
}
