package dev.weighlock.app.prove.stand;

import dev.weighlock.batch.jdbc.postgres.PostgresRepository;
import dev.weighlock.batch.jdbc.postgres.PostgresSchema;
import dev.weighlock.batch.jdbc.postgres.PostgresSettings;
import dev.weighlock.batch.jdbc.server.Server;
import dev.weighlock.batch.repository.JobRepository;
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
        execute("CREATE SCHEMA " + SCHEMA);
    }

    @Override
    public void removeSchema() throws SQLException {
        execute("DROP SCHEMA IF EXISTS " + SCHEMA + " CASCADE");
    }

    private void execute(String sql) throws SQLException {
        try (Connection connection = connect();
                var statement = connection.createStatement()) {
            statement.execute("SET client_min_messages = warning");
            statement.execute(sql);
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
