package dev.weighlock.batch.jdbc.postgres;

import dev.weighlock.batch.BatchError;
import dev.weighlock.batch.BatchException;
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

    private final PostgresSettings settings;

    public PostgresSchema(PostgresSettings settings) {
        this.settings = settings;
    }

    /** Where a database stands. */
    public sealed interface Status {
        /** No table of a repository is there. */
        record Uninitialised() implements Status {}

        /** An older program's tables: they can be migrated. */
        record Older(int version) implements Status {}

        /** This program's tables. */
        record Current() implements Status {}

        /** A newer program's tables: this program leaves them alone. */
        record Newer(int version) implements Status {}

        /** A script was changed after it was applied. */
        record Changed(int version) implements Status {}
    }

    /** @throws BatchException REPOSITORY_UNAVAILABLE */
    public Status status() {
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
        return settings.server().connect(settings.server().source(settings.options()));
    }

    private RuntimeException translate(SQLException e) {
        return PostgresErrors.translate(settings.server().url(), e);
    }

    private int migrate(Connection connection) throws SQLException {
        try (var statement = connection.createStatement()) {
            statement.execute("SELECT pg_advisory_xact_lock(hashtext('weighlock schema " + settings.schema() + "'))");
            int version = switch (status(connection)) {
                case Status.Uninitialised() -> {
                    createHistory(connection);
                    yield 0;
                }
                case Status.Older(int older) -> older;
                case Status.Current() -> VERSION;
                case Status.Newer newer -> throw refusal(newer);
                case Status.Changed changed -> throw refusal(changed);
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
            statement.execute("CREATE SCHEMA IF NOT EXISTS " + settings.schema());
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

    private static void remember(Connection connection, int version) throws SQLException {
        try (var insert = connection.prepareStatement("INSERT INTO schema_migration VALUES (?, ?)")) {
            insert.setInt(1, version);
            insert.setString(2, checksum(version));
            insert.executeUpdate();
        }
    }

    private Status status(Connection connection) throws SQLException {
        var applied = applied(connection);
        if (applied.isEmpty()) {
            return new Status.Uninitialised();
        }
        int version = applied.lastKey();
        if (version > VERSION) {
            return new Status.Newer(version);
        }
        for (var migration : applied.entrySet()) {
            if (!checksum(migration.getKey()).equals(migration.getValue())) {
                return new Status.Changed(migration.getKey());
            }
        }
        return version < VERSION ? new Status.Older(version) : new Status.Current();
    }

    private SortedMap<Integer, String> applied(Connection connection) throws SQLException {
        var applied = new TreeMap<Integer, String>();
        try (var statement = connection.createStatement()) {
            var table = settings.schema() + ".schema_migration";
            try (var row = statement.executeQuery("SELECT to_regclass('" + table + "') IS NULL")) {
                row.next();
                if (row.getBoolean(1)) {
                    return applied;
                }
            }
            try (var rows = statement.executeQuery("SELECT version, checksum FROM " + table)) {
                while (rows.next()) {
                    applied.put(rows.getInt(1), rows.getString(2));
                }
            }
        }
        return applied;
    }

    /** @throws BatchException SCHEMA_VERSION unless the tables are this program's */
    void requireCurrent() {
        var status = status();
        if (!(status instanceof Status.Current)) {
            throw refusal(status);
        }
    }

    private BatchException refusal(Status status) {
        var repository = "the repository " + settings.server().url() + " ";
        return new BatchException(
                BatchError.SCHEMA_VERSION,
                repository
                        + switch (status) {
                            case Status.Uninitialised() ->
                                "has no tables yet: run 'wl schema migrate' once, as a role that may create them";
                            case Status.Older(int version) ->
                                "has schema version " + version + ", older than this program's " + VERSION
                                        + ": run 'wl schema migrate', as the role that owns the tables";
                            case Status.Newer(int version) ->
                                "has schema version " + version + ", newer than this program's " + VERSION
                                        + ": use the newer program";
                            case Status.Changed(int version) ->
                                "was migrated by another script for schema version " + version
                                        + " than this program's: use the program that made it";
                            case Status.Current() -> "is current";
                        });
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
