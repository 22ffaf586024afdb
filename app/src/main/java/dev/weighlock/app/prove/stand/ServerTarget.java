package dev.weighlock.app.prove.stand;

import dev.weighlock.app.exit.CommandFailure;
import dev.weighlock.app.exit.ExitCode;
import dev.weighlock.batch.jdbc.postgres.PostgresRepository;
import dev.weighlock.batch.jdbc.postgres.PostgresSchema;
import dev.weighlock.batch.jdbc.postgres.PostgresSettings;
import dev.weighlock.batch.jdbc.server.Server;
import dev.weighlock.batch.repository.JobRepository;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A repository on PostgreSQL, the user's own or a temporary one. */
final class ServerTarget implements Target {
    /** The comment of a schema that a campaign made; one without it is left alone. */
    private static final String MARK = "made by wl prove, which drops it";

    private final Server server;
    private final PostgresSettings settings;
    private final Map<String, String> credentials;
    private final @Nullable TemporaryServer temporary;

    private ServerTarget(String url, Map<String, String> environment, @Nullable TemporaryServer temporary) {
        this.server = new Server(
                url,
                () -> Optional.ofNullable(environment.get("PGUSER")),
                () -> Optional.ofNullable(environment.get("PGPASSWORD")),
                Optional.empty());
        this.settings = PostgresSettings.of(server);
        this.credentials = new HashMap<>(environment);
        this.credentials.keySet().retainAll(Set.of("PGUSER", "PGPASSWORD"));
        this.temporary = temporary;
    }

    /** One that has its tables. */
    static ServerTarget named(String url, Map<String, String> environment) {
        return new ServerTarget(url, environment, null);
    }

    /** An empty one, which gets them and ends with the target. */
    static ServerTarget temporary(TemporaryServer temporary) {
        ServerTarget target = new ServerTarget(temporary.url(), TemporaryServer.ENVIRONMENT, temporary);
        new PostgresSchema(target.settings).migrate();
        return target;
    }

    @Override
    public String url() {
        return server.url();
    }

    @Override
    public boolean temporary() {
        return temporary != null;
    }

    /** A lock of a session that does nothing else. */
    @Override
    public Optional<Turn> turn() throws SQLException {
        Connection connection = connect();
        try (var statement = connection.createStatement()) {
            statement.execute("SET idle_session_timeout = 0");
            try (var row = statement.executeQuery("SELECT pg_try_advisory_lock(hashtext('" + SCHEMA + "'))")) {
                row.next();
                if (row.getBoolean(1)) {
                    return Optional.of(connection::close);
                }
            }
        } catch (SQLException e) {
            connection.close();
            throw e;
        }
        connection.close();
        return Optional.empty();
    }

    @Override
    public JobRepository open(int pool) {
        return PostgresRepository.open(settings.withPoolSize(pool));
    }

    @Override
    public Connection connect() throws SQLException {
        return server.connect(server.source("-c TimeZone=UTC -c search_path=" + settings.schema() + ",pg_temp"));
    }

    @Override
    public Connection connectForWriting() throws SQLException {
        Connection connection = connect();
        connection.setAutoCommit(false);
        return connection;
    }

    @Override
    public ChunkPlace chunks() {
        return ChunkPlace.ofRepository();
    }

    @Override
    public Path nodes() {
        return settings.lockFolder();
    }

    @Override
    public long connections() throws SQLException {
        try (Connection connection = connect();
                var select = connection.prepareStatement("""
                    SELECT count(*) FROM pg_stat_activity a
                    JOIN node_backend b ON b.backend_pid = a.pid AND b.backend_start = a.backend_start
                    WHERE b.node_id LIKE ?
                    """)) {
            select.setString(1, OwnRows.NODES + "%");
            try (var row = select.executeQuery()) {
                row.next();
                return row.getLong(1);
            }
        }
    }

    @Override
    public void makeSchema() throws SQLException {
        removeSchema();
        // With its mark or not at all.
        try (Connection connection = connectForWriting();
                var statement = connection.createStatement()) {
            statement.execute("CREATE SCHEMA " + SCHEMA);
            statement.execute("COMMENT ON SCHEMA " + SCHEMA + " IS '" + MARK + "'");
            connection.commit();
        }
    }

    @Override
    public void removeSchema() throws SQLException {
        try (Connection connection = connect();
                var statement = connection.createStatement()) {
            if (isOurs(connection)) {
                statement.execute("SET client_min_messages = warning");
                statement.execute("DROP SCHEMA " + SCHEMA + " CASCADE");
            }
        }
    }

    /** Whether a campaign made the schema; false where there is none. */
    private boolean isOurs(Connection connection) throws SQLException {
        try (var select = connection.prepareStatement(
                "SELECT obj_description(oid, 'pg_namespace') FROM pg_namespace WHERE nspname = ?")) {
            select.setString(1, SCHEMA);
            try (var row = select.executeQuery()) {
                if (!row.next()) {
                    return false;
                }
                if (!MARK.equals(row.getString(1))) {
                    throw new CommandFailure(
                            ExitCode.REFUSED,
                            "the schema " + SCHEMA + " in " + url()
                                    + " was not made by a campaign, which would drop it",
                            "rename it, or drop it yourself: ALTER SCHEMA, DROP SCHEMA");
                }
                return true;
            }
        }
    }

    @Override
    public String nowMicros() {
        return "(extract(epoch FROM clock_timestamp()) * 1000000)::bigint";
    }

    @Override
    public boolean writersAtOnce() {
        return true;
    }

    @Override
    public Map<String, String> durability() throws SQLException {
        Map<String, String> values = new LinkedHashMap<>();
        try (Connection connection = connect();
                var statement = connection.createStatement();
                var rows = statement.executeQuery("""
                    SELECT name, setting FROM pg_settings
                    WHERE name IN ('fsync', 'synchronous_commit', 'full_page_writes') ORDER BY name
                    """)) {
            while (rows.next()) {
                values.put(rows.getString(1), rows.getString(2));
            }
        }
        return values;
    }

    @Override
    public Map<String, String> environment() {
        return Map.copyOf(credentials);
    }

    @Override
    public void close() {
        if (temporary != null) {
            temporary.close();
        }
    }
}
