package dev.weighlock.batch.jdbc.target;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.weighlock.batch.BatchError;
import dev.weighlock.batch.BatchException;
import dev.weighlock.batch.ExecutionContext;
import dev.weighlock.batch.StepCounts;
import dev.weighlock.batch.StepName;
import dev.weighlock.batch.chunk.Checkpoint;
import dev.weighlock.batch.chunk.CheckpointKey;
import dev.weighlock.batch.chunk.ChunkTarget;
import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a database that jobs write to must do, whatever its kind. */
abstract class ChunkTargetContract {
    static final CheckpointKey KEY = new CheckpointKey(UUID.randomUUID(), 7, new StepName("load"), "DE");

    Database database;

    /** Of an empty database, the same at each call of one test. */
    abstract DatabaseSettings settings(boolean createCheckpoint) throws Exception;

    @BeforeEach
    void openDatabase() throws Exception {
        database = Database.open(settings(true));
        execute("CREATE TABLE item (id BIGINT PRIMARY KEY, name VARCHAR(20), price NUMERIC(10,2), sold DATE)");
    }

    @AfterEach
    void closeDatabase() {
        database.close();
    }

    void execute(String sql) throws SQLException {
        try (var connection = database.connect();
                var statement = connection.createStatement()) {
            statement.executeUpdate(sql);
        }
    }

    long number(String sql) throws SQLException {
        try (var connection = database.connect();
                var statement = connection.createStatement();
                var row = statement.executeQuery(sql)) {
            row.next();
            return row.getLong(1);
        }
    }

    static Checkpoint checkpoint(long epoch, long sequence) {
        return new Checkpoint(
                epoch,
                sequence,
                new StepCounts(sequence, sequence, sequence, 0, 0, 0, 0, sequence, 0),
                ExecutionContext.of(Map.of("position", sequence)));
    }

    void write(ChunkTarget target, long epoch, long sequence) throws SQLException {
        try (var transaction = target.begin(KEY, epoch)) {
            writer(WriteMode.INSERT)
                    .write(List.of(row(sequence, "item " + sequence)), transaction.unwrap(Connection.class));
            transaction.commit(checkpoint(epoch, sequence));
        }
    }

    static List<@Nullable Object> row(long id, @Nullable String name) {
        return Arrays.asList(id, name, new BigDecimal("12.50"), LocalDate.of(2026, 11, 30));
    }

    static JdbcWriter<List<@Nullable Object>> writer(WriteMode mode) {
        var key = mode == WriteMode.UPSERT ? List.of("ID") : List.<String>of();
        return new JdbcWriter<>(new RowLayout("ITEM", List.of("id", "NAME", "price", "sold"), mode, key), row -> row);
    }

    static void assertRefused(BatchError error, ThrowingCallable call) {
        var refusal = catchThrowableOfType(BatchException.class, call);
        assertThat(refusal).as("refusal").isNotNull();
        assertThat(refusal.error()).isEqualTo(error);
    }

    @Test
    void acquire_nothingCommitted_isEmpty() {
        try (var target = database.chunkTarget()) {
            assertThat(target.acquire(KEY, 1)).isEmpty();
            assertThat(target.read(KEY)).isEmpty();
        }
    }

    @Test
    void acquire_tableMissingAndNotToBeMade_isRefused() throws Exception {
        try (var strict = Database.open(settings(false))) {
            assertRefused(BatchError.DELIVERY_UNAVAILABLE, () -> {
                try (var target = strict.chunkTarget()) {
                    target.acquire(KEY, 1);
                }
            });
        }
    }

    @Test
    void commit_rowsAndCheckpoint_areThereTogether() throws Exception {
        try (var target = database.chunkTarget()) {
            target.acquire(KEY, 1);
            write(target, 1, 1);
            write(target, 1, 2);
        }
        try (var restarted = database.chunkTarget()) {
            assertThat(restarted.acquire(KEY, 2).map(stored -> stored.sequence()))
                    .contains(2L);
            assertThat(restarted.read(KEY).orElseThrow().totals())
                    .isEqualTo(checkpoint(1, 2).totals());
            assertThat(restarted.read(KEY).orElseThrow().context())
                    .isEqualTo(checkpoint(1, 2).context());
        }
        assertThat(number("SELECT count(*) FROM item")).isEqualTo(2);
    }

    @Test
    void close_withoutCommit_leavesNothing() throws Exception {
        try (var target = database.chunkTarget()) {
            target.acquire(KEY, 1);
            try (var transaction = target.begin(KEY, 1)) {
                writer(WriteMode.INSERT).write(List.of(row(1, "lost")), transaction.unwrap(Connection.class));
            }
            assertThat(target.read(KEY)).isEmpty();
            write(target, 1, 1);
        }
        assertThat(number("SELECT count(*) FROM item")).isEqualTo(1);
    }

    @Test
    void commit_ofAReplacedOwner_isFencedAndLeavesNothing() throws Exception {
        try (var old = database.chunkTarget();
                var young = database.chunkTarget()) {
            old.acquire(KEY, 1);
            write(old, 1, 1);
            young.acquire(KEY, 2);

            // A server may have ended its connection: the next one tells.
            assertThatThrownBy(() -> write(old, 1, 2)).isInstanceOf(Exception.class);
            assertRefused(BatchError.FENCED, () -> write(old, 1, 2));
            assertRefused(BatchError.FENCED, () -> old.acquire(KEY, 1));

            write(young, 2, 2);
        }
        assertThat(number("SELECT count(*) FROM item")).isEqualTo(2);
    }

    @Test
    void commit_ofAChunkThatIsThereAlready_isNotDoneAgain() throws Exception {
        execute("CREATE TABLE log (line BIGINT)");
        try (var target = database.chunkTarget()) {
            target.acquire(KEY, 1);
            write(target, 1, 1);
            assertRefused(BatchError.COMMIT_OUTCOME_UNKNOWN, () -> {
                try (var transaction = target.begin(KEY, 1)) {
                    transaction.commit(checkpoint(1, 1));
                }
            });
            assertThat(target.read(KEY).orElseThrow().sequence()).isEqualTo(1);
        }
    }

    @Test
    void commit_ofSequenceZero_beginsAnew() throws Exception {
        try (var target = database.chunkTarget()) {
            target.acquire(KEY, 1);
            write(target, 1, 1);
            try (var transaction = target.begin(KEY, 1)) {
                transaction.commit(checkpoint(1, 0));
            }
            assertThat(target.read(KEY)).isEmpty();
        }
    }

    @Test
    void checkpoints_ofOtherKeys_areApart() throws Exception {
        var other = new CheckpointKey(KEY.repositoryId(), KEY.instanceId(), KEY.step(), "FR");
        try (var target = database.chunkTarget()) {
            target.acquire(KEY, 1);
            write(target, 1, 1);

            assertThat(target.acquire(other, 1)).isEmpty();
        }
    }

    @Test
    void insert_ofARowThatIsThere_fails() throws Exception {
        try (var target = database.chunkTarget()) {
            target.acquire(KEY, 1);
            write(target, 1, 1);
            try (var transaction = target.begin(KEY, 1)) {
                assertThatThrownBy(() -> writer(WriteMode.INSERT)
                                .write(List.of(row(1, "again")), transaction.unwrap(Connection.class)))
                        .isInstanceOf(SQLException.class);
            }
            write(target, 1, 2);
        }
    }

    @Test
    void upsert_replacesAndTheLastOfAChunkWins() throws Exception {
        execute("INSERT INTO item (id, name) VALUES (1, 'old')");
        try (var target = database.chunkTarget()) {
            target.acquire(KEY, 1);
            try (var transaction = target.begin(KEY, 1)) {
                writer(WriteMode.UPSERT)
                        .write(
                                List.of(row(1, "new"), row(2, "first"), row(2, "second"), row(3, null)),
                                transaction.unwrap(Connection.class));
                transaction.commit(checkpoint(1, 1));
            }
        }
        assertThat(number("SELECT count(*) FROM item")).isEqualTo(3);
        assertThat(number("SELECT count(*) FROM item WHERE name IN ('new', 'second')"))
                .isEqualTo(2);
        assertThat(number("SELECT count(*) FROM item WHERE price = 12.5")).isEqualTo(3);
        assertThat(number("SELECT count(*) FROM item WHERE sold = '2026-11-30'"))
                .isEqualTo(3);
    }

    @Test
    void write_unknownTableOrColumn_isRefusedByName() throws Exception {
        try (var connection = database.connect()) {
            for (var layout : List.of(
                    new RowLayout("item; DROP TABLE item", List.of("id"), WriteMode.INSERT, List.of()),
                    new RowLayout("item", List.of("nothing"), WriteMode.INSERT, List.of()))) {
                assertRefused(
                        BatchError.INVALID_DEFINITION,
                        () -> new JdbcWriter<List<Long>>(layout, row -> row).write(List.of(List.of(1L)), connection));
            }
        }
    }

    @Test
    void write_strangeNames_areQuoted() throws Exception {
        execute("CREATE TABLE \"odd \"\" table\" (\"select\" BIGINT, \"a_b%c\" VARCHAR(10))");
        var layout = new RowLayout("odd \" table", List.of("select", "a_b%c"), WriteMode.INSERT, List.of());
        try (var connection = database.connect()) {
            new JdbcWriter<List<Object>>(layout, row -> row).write(List.of(List.of(1L, "x")), connection);
        }
        assertThat(number("SELECT count(*) FROM \"odd \"\" table\"")).isEqualTo(1);
    }

    @Test
    void write_timesOfEveryKind_areStored() throws Exception {
        execute("CREATE TABLE times (at TIMESTAMP)");
        var layout = new RowLayout("times", List.of("at"), WriteMode.INSERT, List.of());
        try (var connection = database.connect()) {
            new JdbcWriter<List<Object>>(layout, row -> row)
                    .write(
                            List.of(
                                    List.of(LocalDateTime.of(2026, 11, 30, 12, 0)),
                                    List.of(OffsetDateTime.parse("2026-11-30T13:00:00+01:00")),
                                    List.of(OffsetDateTime.parse("2026-11-30T12:00:00Z")
                                            .toInstant())),
                            connection);
        }
        assertThat(number("SELECT count(DISTINCT at) FROM times")).isEqualTo(1);
    }

    @Test
    void layout_thatMakesNoSense_isRefused() {
        for (ThrowingCallable layout : List.<ThrowingCallable>of(
                () -> new RowLayout("t", List.of(), WriteMode.INSERT, List.of()),
                () -> new RowLayout("t", List.of("a", "A"), WriteMode.INSERT, List.of()),
                () -> new RowLayout("t", List.of("a"), WriteMode.UPSERT, List.of()),
                () -> new RowLayout("t", List.of("a"), WriteMode.UPSERT, List.of("b")),
                () -> new RowLayout("t", List.of("a"), WriteMode.INSERT, List.of("a")))) {
            assertRefused(BatchError.INVALID_DEFINITION, layout);
        }
    }
}
