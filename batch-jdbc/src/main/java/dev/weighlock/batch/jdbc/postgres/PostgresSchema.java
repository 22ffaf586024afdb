package dev.weighlock.batch.jdbc.postgres;

import dev.weighlock.batch.BatchError;
import dev.weighlock.batch.BatchException;
import dev.weighlock.batch.jdbc.store.SchemaStatus;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.HexFormat;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The tables of a repository and their version: forward-only scripts, each applied once and remembered with its
 * checksum. Opening a repository only looks; migrating is a command of its own, for a role that may create tables.
 *
 * <p>Thread-safe and safe between processes: migrations of one schema run one after another.
 */
public final class PostgresSchema {
    /** The version that this program reads and writes. */
    public static final int VERSION = 1;

    private static final int OLDEST_SERVER = 16;

    private final PostgresSettings settings;

    public PostgresSchema(PostgresSettings settings) {
        this.settings = settings;
    }

    /** @throws BatchException REPOSITORY_UNAVAILABLE */
    public SchemaStatus status() {
        try (var connection = connect()) {
            return status(connection);
        } catch (SQLException e) {
            throw translate(e);
        }
    }

    /**
     * Brings the tables to this program's version, all of it or nothing; makes schema and tables where there are none.
     *
     * @return how many scripts were applied; 0 when there was nothing to do
     * @throws BatchException SCHEMA_VERSION for a newer or changed schema, REPOSITORY_UNAVAILABLE
     */
    public int migrate() {
        try (var connection = connect()) {
            connection.setAutoCommit(false);
            int applied = migrate(connection);
            connection.commit();
            return applied;
        } catch (SQLException e) {
            throw translate(e);
        }
    }

    private Connection connect() throws SQLException {
        var connection = settings.server().connect(settings.server().source(settings.options()));
        try {
            requireSupported(settings.server().url(), connection.getMetaData().getDatabaseMajorVersion());
            return connection;
        } catch (SQLException | RuntimeException e) {
            connection.close();
            throw e;
        }
    }

    static void requireSupported(String url, int serverVersion) {
        if (serverVersion < OLDEST_SERVER) {
            throw new BatchException(
                    BatchError.REPOSITORY_UNAVAILABLE,
                    "the server of " + url + " is PostgreSQL " + serverVersion + ": a repository needs " + OLDEST_SERVER
                            + " or later; upgrade the server or name another");
        }
    }

    private RuntimeException translate(SQLException e) {
        return PostgresErrors.translate(settings.server().url(), e);
    }

    private int migrate(Connection connection) throws SQLException {
        try (var statement = connection.createStatement()) {
            statement.execute("SELECT pg_advisory_xact_lock(hashtext('weighlock schema " + settings.schema() + "'))");
            int version = switch (status(connection)) {
                case SchemaStatus.Uninitialised _ -> {
                    createHistory(connection);
                    yield 0;
                }
                case SchemaStatus.Older older -> older.version();
                case SchemaStatus.Current _ -> VERSION;
                case SchemaStatus.Newer newer -> throw refusal(newer);
                case SchemaStatus.Changed changed -> throw refusal(changed);
            };
            for (int next = version + 1; next <= VERSION; next++) {
                statement.execute(script(next));
                remember(connection, next);
            }
            return VERSION - version;
        }
    }

    private void createHistory(Connection connection) throws SQLException {
        try (var statement = connection.createStatement()) {
            if (!hasSchema(connection)) {
                statement.execute("CREATE SCHEMA " + settings.schema());
            }
            statement.execute("""
                    CREATE TABLE schema_migration (
                        version integer PRIMARY KEY,
                        checksum text NOT NULL,
                        applied_at timestamptz NOT NULL DEFAULT statement_timestamp(),
                        applied_by text NOT NULL DEFAULT current_user
                    )
                    """);
        }
    }

    /** IF NOT EXISTS would ask for the right to make one even where it is there and owned. */
    private boolean hasSchema(Connection connection) throws SQLException {
        try (var statement = connection.createStatement();
                var row = statement.executeQuery("SELECT to_regnamespace('" + settings.schema() + "') IS NOT NULL")) {
            row.next();
            return row.getBoolean(1);
        }
    }

    private static void remember(Connection connection, int version) throws SQLException {
        try (var insert = connection.prepareStatement("INSERT INTO schema_migration VALUES (?, ?)")) {
            insert.setInt(1, version);
            insert.setString(2, checksum(version));
            insert.executeUpdate();
        }
    }

    private SchemaStatus status(Connection connection) throws SQLException {
        if (!hasHistory(connection)) {
            return new SchemaStatus.Uninitialised(VERSION);
        }
        var applied = applied(connection);
        int version = applied.isEmpty() ? 0 : applied.lastKey();
        if (version > VERSION) {
            return new SchemaStatus.Newer(version, VERSION);
        }
        for (var migration : applied.entrySet()) {
            if (!checksum(migration.getKey()).equals(migration.getValue())) {
                return new SchemaStatus.Changed(migration.getKey(), VERSION);
            }
        }
        return version < VERSION ? new SchemaStatus.Older(version, VERSION) : new SchemaStatus.Current(VERSION);
    }

    private String history() {
        return settings.schema() + ".schema_migration";
    }

    private boolean hasHistory(Connection connection) throws SQLException {
        try (var statement = connection.createStatement();
                var row = statement.executeQuery("SELECT to_regclass('" + history() + "') IS NOT NULL")) {
            row.next();
            return row.getBoolean(1);
        }
    }

    private SortedMap<Integer, String> applied(Connection connection) throws SQLException {
        var applied = new TreeMap<Integer, String>();
        try (var statement = connection.createStatement();
                var rows = statement.executeQuery("SELECT version, checksum FROM " + history())) {
            while (rows.next()) {
                applied.put(rows.getInt(1), rows.getString(2));
            }
        }
        return applied;
    }

    /** @throws BatchException SCHEMA_VERSION unless the tables are this program's */
    void requireCurrent() {
        var status = status();
        if (!(status instanceof SchemaStatus.Current)) {
            throw refusal(status);
        }
    }

    private BatchException refusal(SchemaStatus status) {
        return new BatchException(
                BatchError.SCHEMA_VERSION, "the repository " + settings.server().url() + ": " + status.text());
    }

    private static String checksum(int version) {
        try {
            var digest = MessageDigest.getInstance("SHA-256");
            return HexFormat.of().formatHex(digest.digest(script(version).getBytes(StandardCharsets.UTF_8)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JVM has SHA-256", e);
        }
    }

    private static String script(int version) {
        var name = "V%03d.sql".formatted(version);
        try (var in = PostgresSchema.class.getResourceAsStream(name)) {
            if (in == null) {
                throw new IllegalStateException("the program lacks its migration " + name);
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException("the migration " + name + " cannot be read", e);
        }
    }
}
