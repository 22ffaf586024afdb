package dev.weighlock.batch.jdbc.postgres;

import dev.weighlock.batch.repository.JobRepository;
import dev.weighlock.batch.testkit.EmbeddedDatabase;
import dev.weighlock.batch.testkit.EmbeddedServer;
import dev.weighlock.batch.testkit.contract.RepositoryStore;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** A repository in a schema of its own on one of the two servers that tests run on. */
final class TestStore implements RepositoryStore {
    private static final AtomicInteger SCHEMAS = new AtomicInteger();
    private static @Nullable EmbeddedServer oldest;

    private final EmbeddedServer server;
    private final PostgresSettings settings;

    private TestStore(EmbeddedServer server, PostgresSettings settings) {
        this.server = server;
        this.settings = settings;
    }

    /** The newest version that the repository runs on. */
    static TestStore onNewest() {
        return on(EmbeddedDatabase.server());
    }

    static TestStore on(EmbeddedServer server) {
        var settings = settings(server.url("postgres")).withSchema("s" + SCHEMAS.incrementAndGet());
        new PostgresSchema(settings).migrate();
        return new TestStore(server, settings);
    }

    /** The oldest version; it starts once. */
    static synchronized EmbeddedServer oldestServer() {
        var running = oldest;
        if (running == null) {
            running = EmbeddedServer.start(Path.of(System.getProperty("weighlock.postgres.oldest")));
            oldest = running;
        }
        return running;
    }

    static PostgresSettings settings(String url) {
        return PostgresSettings.of(url, () -> Optional.of(EmbeddedDatabase.USER), () -> Optional.of("any"));
    }

    PostgresSettings settings() {
        return settings;
    }

    /** Runs a statement as the superuser, unqualified names in the repository's schema. */
    void run(String sql) throws SQLException {
        try (var connection = server.connect("postgres");
                var statement = connection.createStatement()) {
            statement.execute("SET search_path = " + settings.schema() + ", public");
            statement.execute(sql);
        }
    }

    long number(String sql) throws SQLException {
        return Long.parseLong(text(sql));
    }

    /** First column of the first row. */
    String text(String sql) throws SQLException {
        return texts(sql).getFirst();
    }

    /** First column of all rows. */
    List<String> texts(String sql) throws SQLException {
        var texts = new ArrayList<String>();
        try (var connection = server.connect("postgres");
                var statement = connection.createStatement()) {
            statement.execute("SET search_path = " + settings.schema() + ", public");
            try (var rows = statement.executeQuery(sql)) {
                while (rows.next()) {
                    texts.add(rows.getString(1));
                }
            }
        }
        return texts;
    }

    @Override
    public JobRepository open() {
        return PostgresRepository.open(settings);
    }

    @Override
    public void close() {
        try {
            run("DROP SCHEMA " + settings.schema() + " CASCADE");
        } catch (SQLException e) {
            throw new IllegalStateException("the schema of a test stays", e);
        }
    }
}
