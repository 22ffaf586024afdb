package dev.weighlock.duckdb;

import static dev.weighlock.duckdb.EngineFixture.MIB;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weighlock.query.ErrorCode;
import dev.weighlock.query.FactKey;
import dev.weighlock.query.QueryException;
import dev.weighlock.query.engine.EngineSession;
import dev.weighlock.query.engine.FileOutput;
import dev.weighlock.query.engine.NestedValue;
import dev.weighlock.query.engine.SessionRelease;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DuckDbSessionTest {
    @TempDir
    private Path folder;

    private EngineFixture fixture;

    @BeforeEach
    void open() throws Exception {
        fixture = new EngineFixture(folder);
    }

    @AfterEach
    void close() {
        fixture.close();
    }

    private static void assertCode(ErrorCode code, ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        QueryException.class,
                        e -> assertThat(e.code()).as(e.getMessage()).isEqualTo(code));
    }

    @Test
    void execute_ofEveryType_givesTypedValues() {
        var row = fixture.rows("""
                        SELECT true, 1::TINYINT, 2::SMALLINT, 3::INTEGER, 4::BIGINT, 5::HUGEINT, 6::UTINYINT, 7::USMALLINT,
                          8::UINTEGER, 9::UBIGINT, 1.5::DECIMAL(5,2), 2.5::DOUBLE, 'text', DATE '2026-01-31',
                          TIME '10:11:12.5', TIMESTAMP '2026-01-31 10:11:12.5', TIMESTAMPTZ '2026-01-31 10:11:12+02',
                          '00000000-0000-0000-0000-000000000007'::UUID, 'ab'::BLOB, [1, 2], {'a': 1}, NULL,
                          INTERVAL 1 MONTH, 'x'::ENUM('x', 'y'), '{"a":1}'::JSON""").getFirst();
        assertThat(row.values().subList(0, 18))
                .isEqualTo(Arrays.asList(
                        true,
                        (byte) 1,
                        (short) 2,
                        3,
                        4L,
                        BigInteger.valueOf(5),
                        (short) 6,
                        7,
                        8L,
                        BigInteger.valueOf(9),
                        new BigDecimal("1.50"),
                        2.5,
                        "text",
                        LocalDate.of(2026, 1, 31),
                        LocalTime.of(10, 11, 12, 500_000_000),
                        LocalDateTime.of(2026, 1, 31, 10, 11, 12, 500_000_000),
                        OffsetDateTime.of(2026, 1, 31, 8, 11, 12, 0, ZoneOffset.UTC),
                        new UUID(0, 7)));
        assertThat((byte[]) row.value(18)).containsExactly('a', 'b');
        assertThat(row.values().subList(19, 25))
                .isEqualTo(Arrays.asList(
                        new NestedValue("[1, 2]", "[1,2]"),
                        new NestedValue("{'a': 1}", "{\"a\":1}"),
                        null,
                        "1 month",
                        "x",
                        new NestedValue("{\"a\":1}", "{\"a\":1}")));
        assertThat(row.columns().get(10).type()).isEqualTo("DECIMAL(5,2)");
    }

    @Test
    void execute_withNamedValues_bindsEachClass() {
        var values = new LinkedHashMap<String, @Nullable Object>();
        values.put("l", 7L);
        values.put("s", "it's");
        values.put("d", LocalDate.of(2026, 2, 3));
        values.put("i", Instant.parse("2026-02-03T04:05:06Z"));
        values.put("n", null);
        values.put("u", new UUID(0, 7));
        values.put("b", new BigDecimal("1.25"));
        var row = fixture.rows(
                        "SELECT :l + 1, :s || '!', :d + 1, :i, :n IS NULL, :u = '00000000-0000-0000-0000-000000000007'::UUID, :b * 2, :l",
                        values,
                        ZoneId.of("Europe/Berlin"))
                .getFirst();
        assertThat(row.value(0)).isEqualTo(8L);
        assertThat(row.value(1)).isEqualTo("it's!");
        assertThat(String.valueOf(row.value(2))).startsWith("2026-02-04");
        assertThat(row.value(3)).isEqualTo(OffsetDateTime.parse("2026-02-03T05:05:06+01:00"));
        assertThat(row.value(4)).isEqualTo(true);
        assertThat(row.value(5)).isEqualTo(true);
        assertThat((BigDecimal) row.value(6)).isEqualByComparingTo("2.5");
        assertThat(row.value(7)).isEqualTo(7L);
    }

    @Test
    void session_memoryLimit_isTheGrantLessTheAllowance() {
        var session = fixture.open(256 * MIB);
        try {
            var rows = EngineFixture.rows(session, fixture.plan("SELECT current_setting('memory_limit')"));
            assertThat(rows.getFirst().value(0)).isEqualTo("224.0 MiB");
        } finally {
            session.release();
        }
    }

    @Test
    void execute_thatSpills_staysWithinItsGrantAndLeavesNothing() throws Exception {
        var session = fixture.open(64 * MIB);
        var rows = EngineFixture.rows(
                session,
                fixture.plan(
                        "SELECT count(*) FROM (SELECT i::VARCHAR x FROM range(3000000) t(i) ORDER BY x LIMIT 2900000)"));
        assertThat(rows.getFirst().value(0)).isEqualTo(2_900_000L);
        var usage = session.usage().orElseThrow();
        assertThat(usage.peakBytes()).isBetween(1L, 64 * MIB);
        assertThat(usage.tempBytes()).isPositive();
        assertThat(session.release()).isInstanceOf(SessionRelease.Proved.class);
        assertThat(session.release()).isSameAs(session.release());
        assertNoSessionFolders();
    }

    private void assertNoSessionFolders() throws Exception {
        try (var paths = Files.walk(fixture.tempRoot, 2)) {
            assertThat(paths.filter(path -> path.toString().contains("instance-")))
                    .isEmpty();
        }
    }

    @Test
    void execute_thatCannotSpill_failsWithCapAndRemedy() {
        var session = fixture.open(64 * MIB);
        try {
            var plan = fixture.plan("SELECT list(i) FROM range(30000000) t(i)");
            assertThatThrownBy(() -> EngineFixture.rows(session, plan))
                    .isInstanceOfSatisfying(QueryException.class, e -> {
                        assertThat(e.code()).isEqualTo(ErrorCode.QUERY_MEMORY_LIMIT_EXCEEDED);
                        assertThat(e.getMessage()).contains("64MiB").contains("larger cap");
                    });
        } finally {
            assertThat(session.release()).isInstanceOf(SessionRelease.Proved.class);
        }
    }

    @Test
    void usage_ofWhatFailed_isTheLimitThatWasMetOrWhatWasHeld() {
        var greedy = fixture.open(64 * MIB);
        var plan = fixture.plan("SELECT list(i) FROM range(30000000) t(i)");
        assertCode(ErrorCode.QUERY_MEMORY_LIMIT_EXCEEDED, () -> EngineFixture.rows(greedy, plan));
        assertThat(greedy.usage().orElseThrow().engineBytes()).isEqualTo(48 * MIB);
        greedy.release();
        var wrong = fixture.open(64 * MIB);
        assertCode(ErrorCode.DATA_ERROR, () -> EngineFixture.rows(wrong, fixture.plan("SELECT 'x'::INT")));
        assertThat(wrong.usage().orElseThrow().peakBytes()).isBetween(0L, 64 * MIB);
        wrong.release();
    }

    @Test
    void execute_overItsTempLimit_saysSo() {
        var session = fixture.open(64 * MIB, ZoneOffset.UTC, 8 * MIB);
        try {
            var plan = fixture.plan(
                    "SELECT count(*) FROM (SELECT i::VARCHAR || repeat('x', 50) x FROM range(3000000) t(i) ORDER BY x LIMIT 2900000)");
            assertCode(ErrorCode.QUERY_TEMP_LIMIT_EXCEEDED, () -> EngineFixture.rows(session, plan));
        } finally {
            session.release();
        }
    }

    @Test
    void execute_withALateBadCsvValue_namesFileAndLine() throws Exception {
        var text = new StringBuilder("a,b\n");
        for (var i = 0; i < 60_000; i++) {
            text.append(i).append(',').append(i == 50_000 ? "xyz" : "" + i).append('\n');
        }
        Files.writeString(fixture.in.resolve("late.csv"), text);
        assertThatThrownBy(() -> fixture.rows(
                        "SELECT sum(b) FROM read_csv('late.csv', columns = {a: 'INT', b: 'INT'}, header = true)"))
                .isInstanceOfSatisfying(QueryException.class, e -> {
                    assertThat(e.code()).isEqualTo(ErrorCode.DATA_ERROR);
                    assertThat(e.facts().value(FactKey.LINE)).contains("50002");
                    assertThat(e.facts().value(FactKey.FILE).orElseThrow()).endsWith("late.csv");
                    assertThat(e.facts().value(FactKey.COLUMN)).contains("b");
                });
    }

    @Test
    void execute_thatFailsInTheMiddleOfItsRows_neverLooksComplete() {
        var session = fixture.open(64 * MIB);
        var stream = session.execute(fixture.plan(
                "SELECT CASE WHEN i = 1500000 THEN error('boom') ELSE i::VARCHAR END FROM range(2000000) t(i)"));
        assertThatThrownBy(() -> {
                    while (stream.fetch().isPresent()) {
                        assertThat(stream.isComplete()).isFalse();
                    }
                })
                .hasMessageContaining("boom");
        assertThat(stream.rows()).isPositive();
        assertThat(stream.isComplete()).isFalse();
        stream.close();
        session.release();
    }

    @Test
    void execute_ofNoRows_isComplete() {
        var session = fixture.open(64 * MIB);
        try (var stream = session.execute(fixture.plan("SELECT 1 AS one WHERE false"))) {
            assertThat(stream.fetch()).isEmpty();
            assertThat(stream.isComplete()).isTrue();
            assertThat(stream.columns().getFirst().name()).isEqualTo("one");
        }
        session.release();
    }

    @Test
    void execute_ofFilesOutside_isDenied() throws Exception {
        Files.writeString(fixture.in.resolve("a.csv"), "a\n1\n");
        var secret = Files.writeString(fixture.folder.resolve("secret.csv"), "a\n1\n");
        Files.createSymbolicLink(fixture.in.resolve("link.csv"), secret);
        assertThat(fixture.rows("FROM 'a.csv'")).hasSize(1);
        for (var path : new String[] {secret.toString(), "../secret.csv", "link.csv", "/etc/passwd"}) {
            assertCode(ErrorCode.SOURCE_ACCESS_DENIED, () -> fixture.rows("FROM read_csv('" + path + "')"));
        }
        assertCode(ErrorCode.SOURCE_NOT_FOUND, () -> fixture.rows("FROM 'none.csv'"));
        assertCode(ErrorCode.SQL_ERROR, () -> fixture.rows("FROM no_table"));
        assertCode(ErrorCode.SQL_ERROR, () -> fixture.rows("SELECT no_column FROM 'a.csv'"));
        assertCode(ErrorCode.DATA_ERROR, () -> fixture.rows("SELECT 'x'::INT"));
    }

    @Test
    void executeToFile_writesEachFormat() throws Exception {
        for (var output : new FileOutput[] {
            FileOutput.parquet(),
            new FileOutput.Parquet(FileOutput.Compression.NONE),
            FileOutput.csv(),
            new FileOutput.Csv(false, ';', '\'', FileOutput.Compression.GZIP),
            FileOutput.jsonLines()
        }) {
            var session = fixture.open(64 * MIB);
            var file = fixture.out.resolve("part");
            var plan = fixture.plan("SELECT i, :s AS s FROM range(1000) t(i) -- last", Map.of("s", "it's"));
            var result = session.executeToFile(plan, output, file);
            assertThat(result.rows()).isEqualTo(1000);
            assertThat(result.bytes()).isEqualTo(Files.size(file)).isPositive();
            assertThat(session.usage()).isPresent();
            session.release();
            Files.delete(file);
        }
    }

    @Test
    void executeToFile_outsideTheWriteDirectories_isDenied() throws Exception {
        Files.createSymbolicLink(fixture.out.resolve("link"), fixture.folder);
        var plan = fixture.plan("SELECT 1");
        for (var file : new Path[] {
            fixture.in.resolve("x"),
            fixture.out.resolve("../x"),
            fixture.folder.resolve("x"),
            fixture.out.resolve("link").resolve("x")
        }) {
            var session = fixture.open(64 * MIB);
            assertCode(ErrorCode.SOURCE_ACCESS_DENIED, () -> session.executeToFile(plan, FileOutput.parquet(), file));
            session.release();
            assertThat(file).doesNotExist();
        }
    }

    @Test
    void executeToFile_thatFails_tellsTheTrueReason() {
        var session = fixture.open(64 * MIB);
        var plan = fixture.plan("SELECT CASE WHEN i = 150000 THEN error('boom') ELSE i END FROM range(200000) t(i)");
        assertThatThrownBy(() -> session.executeToFile(plan, FileOutput.csv(), fixture.out.resolve("x")))
                .isInstanceOfSatisfying(
                        QueryException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.DATA_ERROR))
                .hasMessageContaining("boom");
        session.release();
    }

    @Test
    void openedSession_refusesWhateverWouldChangeItsLimits() {
        for (var sql : new String[] {"SET memory_limit = '1GB'", "LOAD httpfs", "RESET TimeZone"}) {
            EngineSession session = fixture.open(64 * MIB);
            var plan = new dev.weighlock.query.engine.PlannedStatement(sql, java.util.List.of());
            assertThatThrownBy(() -> EngineFixture.rows(session, plan)).isInstanceOf(QueryException.class);
            session.release();
        }
    }
}
