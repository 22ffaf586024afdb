package dev.weighlock.batch.jdbc.target;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weighlock.batch.BatchError;
import dev.weighlock.batch.BatchException;
import dev.weighlock.batch.testkit.CutProxy;
import dev.weighlock.batch.testkit.EmbeddedDatabase;
import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.LocalDateTime;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.assertj.core.util.Throwables;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PostgresTargetTest extends ChunkTargetContract {
    private @Nullable String name;

    private String name() throws Exception {
        var existing = name;
        if (existing == null) {
            existing = EmbeddedDatabase.createDatabase();
            name = existing;
        }
        return existing;
    }

    @Override
    DatabaseSettings settings(boolean createCheckpoint) throws Exception {
        return settings(EmbeddedDatabase.url(name()), createCheckpoint);
    }

    private static DatabaseSettings settings(String url, boolean createCheckpoint) {
        return new DatabaseSettings(
                "dw",
                url,
                () -> Optional.of(EmbeddedDatabase.USER),
                () -> Optional.of("any"),
                Optional.empty(),
                createCheckpoint);
    }

    @Test
    void server_isDurable() throws Exception {
        assertThat(number("SELECT count(*) FROM pg_settings WHERE setting = 'on'"
                        + " AND name IN ('fsync', 'synchronous_commit', 'full_page_writes')"))
                .isEqualTo(3);
    }

    /** Of two that are asked: one before there is a pool, and the pool's first. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void connection_thatBreaksWhileItIsAskedForItsIsolation_isReplacedByOneOfTheServersOwn(int turn) throws Exception {
        execute("ALTER DATABASE " + name() + " SET default_transaction_isolation = 'repeatable read'");
        try (var proxy = CutProxy.start(EmbeddedDatabase.port())) {
            proxy.cutAnswer("SHOW", turn);
            try (var database = Database.open(settings(EmbeddedDatabase.url(name(), proxy.port()), true));
                    var first = database.connect();
                    var second = database.connect()) {
                assertThat(proxy.cuts()).isEqualTo(1);
                assertThat(first.getTransactionIsolation()).isEqualTo(Connection.TRANSACTION_REPEATABLE_READ);
                assertThat(second.getTransactionIsolation()).isEqualTo(Connection.TRANSACTION_REPEATABLE_READ);
            }
        }
    }

    @Test
    void acquire_userWhoMayNotMakeTheTable_isRefused() throws Exception {
        execute("CREATE ROLE clerk LOGIN");
        execute("GRANT INSERT, SELECT ON item TO clerk");
        var clerk = new DatabaseSettings(
                "dw",
                EmbeddedDatabase.url(name()),
                () -> Optional.of("clerk"),
                Optional::empty,
                Optional.empty(),
                true);
        try (var strict = Database.open(clerk)) {
            assertRefused(BatchError.DELIVERY_UNAVAILABLE, strict::chunkTarget);
        } finally {
            execute("DROP OWNED BY clerk");
            execute("DROP ROLE clerk");
        }
    }

    @Test
    void connect_refusedByTheServer_saysNothingOfTheCredentials() throws Exception {
        var settings = new DatabaseSettings(
                "dw",
                EmbeddedDatabase.url(name()),
                () -> Optional.of("canary-user"),
                () -> Optional.of("canary-password"),
                Optional.empty(),
                true);
        try (var refused = Database.open(settings)) {
            assertThatThrownBy(refused::chunkTarget)
                    .isInstanceOf(BatchException.class)
                    .hasMessageContaining("dw")
                    .hasMessageContaining("\"***\" does not exist")
                    .satisfies(failure ->
                            assertThat(Throwables.getStackTrace(failure)).doesNotContain("canary"));
        }
    }

    @Test
    void copy_writesEveryCharacter() throws Exception {
        execute("CREATE TABLE letters (id BIGINT, text TEXT, at TIMESTAMPTZ, raw BYTEA, price NUMERIC)");
        var layout = new RowLayout("letters", List.of("id", "text", "at", "raw", "price"), WriteMode.COPY, List.of());
        var text = "tab\tline\nreturn\rback\\slash \\N 'quote' ü 🚤";
        var rows = List.of(
                Arrays.<@Nullable Object>asList(
                        1L, text, LocalDateTime.of(2026, 11, 30, 12, 0), new byte[] {0, 92, 10}, new BigDecimal("1.5")),
                Arrays.<@Nullable Object>asList(2L, null, null, null, null));
        try (var connection = database.connect()) {
            new JdbcWriter<List<@Nullable Object>>(layout, row -> row).write(rows, connection);
            try (var statement = connection.prepareStatement("""
                    SELECT count(*) FROM letters WHERE text = ? AND at = '2026-11-30T12:00:00Z'
                        AND raw = '\\x005c0a' AND price = 1.5
                    """)) {
                statement.setString(1, text);
                var found = statement.executeQuery();
                found.next();
                assertThat(found.getLong(1)).isEqualTo(1);
            }
        }
        assertThat(number("SELECT count(*) FROM letters WHERE text IS NULL AND raw IS NULL"))
                .isEqualTo(1);
    }

    @Test
    void write_serverTypes_areReadFromText() throws Exception {
        execute("CREATE TYPE mood AS ENUM ('glad', 'sad')");
        execute("CREATE TABLE typed (id UUID, data JSONB, mood mood, number INTEGER)");
        var layout = new RowLayout("typed", List.of("id", "data", "mood", "number"), WriteMode.INSERT, List.of());
        try (var connection = database.connect()) {
            new JdbcWriter<List<Object>>(layout, row -> row)
                    .write(List.of(List.of(UUID.randomUUID(), "{\"a\": 1}", "sad", "42")), connection);
        }
        assertThat(number("SELECT number FROM typed WHERE mood = 'sad' AND data ->> 'a' = '1'"))
                .isEqualTo(42);
    }

    /** The old owner stands after its guard, before its COMMIT: it holds the row and could still commit. */
    @Test
    void acquire_whileAnOlderOwnerHoldsTheRow_endsItsBackend() throws Exception {
        try (var old = database.chunkTarget();
                var young = database.chunkTarget()) {
            old.acquire(KEY, 1);
            write(old, 1, 1);
            var paused = old.begin(KEY, 1);
            var connection = paused.unwrap(Connection.class);
            writer(WriteMode.INSERT).write(List.of(row(2, "never")), connection);
            CheckpointTable.advance(connection, KEY, 1, checkpoint(1, 2));

            assertThat(young.acquire(KEY, 2).orElseThrow().sequence()).isEqualTo(1);

            assertThat(catchCommit(connection)).isNotNull();
            paused.close();
            write(young, 2, 2);
        }
        assertThat(number("SELECT count(*) FROM item WHERE name = 'never'")).isZero();
        assertThat(number("SELECT count(*) FROM item")).isEqualTo(2);
    }

    private static @Nullable Exception catchCommit(Connection connection) {
        try {
            connection.commit();
            return null;
        } catch (SQLException e) {
            return e;
        }
    }

    @Test
    void commit_withoutAnswer_isReadBackAsCommitted() throws Exception {
        try (var proxy = CutProxy.start(EmbeddedDatabase.port());
                var behind = Database.open(settings(EmbeddedDatabase.url(name(), proxy.port()), true));
                var target = behind.chunkTarget()) {
            target.acquire(KEY, 1);
            proxy.cutAnswer(1);

            assertRefused(BatchError.COMMIT_OUTCOME_UNKNOWN, () -> write(target, 1, 1));

            assertThat(proxy.cuts()).isEqualTo(1);
            assertThat(target.read(KEY).orElseThrow().sequence()).isEqualTo(1);
            write(target, 1, 2);
        }
        assertThat(number("SELECT count(*) FROM item")).isEqualTo(2);
    }
}
