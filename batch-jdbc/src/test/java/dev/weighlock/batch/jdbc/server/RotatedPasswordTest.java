package dev.weighlock.batch.jdbc.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weighlock.batch.jdbc.postgres.PostgresRepository;
import dev.weighlock.batch.jdbc.postgres.PostgresSchema;
import dev.weighlock.batch.jdbc.postgres.PostgresSettings;
import dev.weighlock.batch.jdbc.postgres.PushState;
import dev.weighlock.batch.jdbc.target.Database;
import dev.weighlock.batch.jdbc.target.DatabaseSettings;
import dev.weighlock.batch.repository.NodeInfo;
import dev.weighlock.batch.testing.Await;
import dev.weighlock.batch.testkit.EmbeddedServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.Optional;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A password that is changed while a process runs: new connections use the new one, nothing is restarted. */
class RotatedPasswordTest {
    private static final String ROLE = "rotating";

    private static EmbeddedServer server;

    @TempDir
    Path folder;

    private Path secret;

    /** A server of its own, for it asks this role for its password. */
    @BeforeAll
    static void start() throws Exception {
        server = EmbeddedServer.start();
        run("CREATE ROLE " + ROLE + " SUPERUSER LOGIN");
        var rules = Path.of(text("SHOW hba_file"));
        Files.writeString(rules, "host all " + ROLE + " all scram-sha-256\n" + Files.readString(rules));
        run("SELECT pg_reload_conf()");
    }

    @BeforeEach
    void firstPassword() throws Exception {
        secret = folder.resolve("password");
        change("the first");
    }

    private void change(String password) throws Exception {
        run("ALTER ROLE " + ROLE + " PASSWORD '" + password + "'");
        Files.writeString(secret, password);
    }

    /** As an operator does who rotates it, and the server that they restart. */
    private void rotate() throws Exception {
        change("the second");
        run("SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity WHERE usename = '" + ROLE + "'");
        var first = new Server(url(), () -> Optional.of(ROLE), () -> Optional.of("the first"), Optional.empty());
        assertThatThrownBy(() -> first.connect(first.source("-c TimeZone=UTC")).close())
                .hasMessageContaining("authentication failed");
    }

    private static void run(String sql) throws SQLException {
        try (var connection = server.connect("postgres");
                var statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private static String text(String sql) throws SQLException {
        try (var connection = server.connect("postgres");
                var statement = connection.createStatement();
                var row = statement.executeQuery(sql)) {
            row.next();
            return row.getString(1);
        }
    }

    private static String url() {
        return server.url("postgres");
    }

    private Optional<String> password() {
        try {
            return Optional.of(Files.readString(secret));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void repository_afterTheRotation_goesOnWithPoolAndControlConnection() throws Exception {
        var settings = PostgresSettings.of(url(), () -> Optional.of(ROLE), this::password)
                .withLockFolder(folder.resolve("nodes"));
        new PostgresSchema(settings).migrate();
        try (var repository = PostgresRepository.open(settings)) {
            var node = new NodeInfo("node", "a-host", 1);
            repository.register(node);
            assertThat(repository.push()).isEqualTo(new PushState.On());

            rotate();

            assertThat(repository.node(node.id())).contains(node);
            Await.until(() -> repository.push().isOn());
        }
    }

    @Test
    void target_afterTheRotation_isReached() throws Exception {
        var settings =
                new DatabaseSettings("dw", url(), () -> Optional.of(ROLE), this::password, Optional.empty(), true);
        try (var database = Database.open(settings)) {
            // It stays with its borrower, so that the next one is a new one.
            var held = database.connect();
            assertThat(held.isValid(10)).isTrue();

            rotate();

            try (var made = database.connect()) {
                assertThat(made.isValid(10)).isTrue();
            }
        }
    }
}
