package dev.weighlock.duckdb;

import static dev.weighlock.duckdb.EngineFixture.MIB;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weighlock.query.ErrorCode;
import dev.weighlock.query.FactKey;
import dev.weighlock.query.QueryException;
import dev.weighlock.query.engine.FileOutput;
import dev.weighlock.query.engine.RowSource;
import dev.weighlock.query.engine.SessionRelease;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(300)
class ImportTest {
    private static final List<RowSource.Column> NUMBERS = List.of(new RowSource.Column("id", "BIGINT"));

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

    /** Counts up to a number of rows; what happens at one of them is the test's. */
    private static class Numbers implements RowSource {
        final CountDownLatch closed = new CountDownLatch(1);
        private final long count;
        private long next;

        Numbers(long count) {
            this.count = count;
        }

        @Override
        public List<Column> columns() {
            return NUMBERS;
        }

        @Override
        public @Nullable Object @Nullable [] next() throws Exception {
            return next == count ? null : new Object[] {value(next++)};
        }

        Object value(long number) throws Exception {
            return number;
        }

        @Override
        public void close() {
            closed.countDown();
        }
    }

    private Path target() {
        return fixture.out.resolve("part");
    }

    @Test
    void importRows_ofEveryType_keepsValuesNamesAndOrder() {
        var columns = List.of(
                new RowSource.Column("b", "BOOLEAN"),
                new RowSource.Column("i", "INTEGER"),
                new RowSource.Column("l", "BIGINT"),
                new RowSource.Column("d", "DOUBLE"),
                new RowSource.Column("a \"name\"", "VARCHAR"),
                new RowSource.Column("day", "DATE"),
                new RowSource.Column("time", "TIME"),
                new RowSource.Column("ts", "TIMESTAMP"),
                new RowSource.Column("tz", "TIMESTAMPTZ"),
                new RowSource.Column("u", "UUID"),
                new RowSource.Column("blob", "BLOB"),
                new RowSource.Column("dec", "DECIMAL(15,2)"));
        var values = Arrays.<@Nullable Object>asList(
                true,
                1,
                2L,
                0.5,
                "tëxt",
                LocalDate.of(2026, 1, 31),
                LocalTime.of(1, 2, 3),
                LocalDateTime.of(2026, 1, 31, 1, 2, 3),
                Instant.parse("2026-01-31T01:02:03Z"),
                new UUID(1, 2),
                new byte[] {0, -1},
                new BigDecimal("12.34"));
        var session = fixture.open(64 * MIB);
        var result =
                session.importRows(new Rows(columns, List.of(values, allNull(12))), FileOutput.parquet(), target());
        session.release();
        assertThat(result.rows()).isEqualTo(2);
        var rows = fixture.rows("FROM read_parquet('" + target() + "')");
        assertThat(rows.getFirst().values().subList(0, 8)).isEqualTo(values.subList(0, 8));
        assertThat(rows.getFirst().value("tz")).isEqualTo(OffsetDateTime.of(2026, 1, 31, 1, 2, 3, 0, ZoneOffset.UTC));
        assertThat(rows.getFirst().value("u")).isEqualTo(new UUID(1, 2));
        assertThat((byte[]) rows.getFirst().value("blob")).containsExactly(0, -1);
        assertThat(rows.getFirst().value("dec")).isEqualTo(new BigDecimal("12.34"));
        assertThat(rows.getFirst().columns().stream().map(column -> column.name()))
                .containsExactlyElementsOf(
                        columns.stream().map(RowSource.Column::name).toList());
        assertThat(rows.get(1).values()).containsOnlyNulls();
    }

    private static List<@Nullable Object> allNull(int size) {
        return Arrays.asList(new @Nullable Object[size]);
    }

    private record Rows(List<Column> columns, java.util.Iterator<List<@Nullable Object>> rows) implements RowSource {
        Rows(List<Column> columns, List<List<@Nullable Object>> rows) {
            this(columns, rows.iterator());
        }

        @Override
        public @Nullable Object @Nullable [] next() {
            return rows.hasNext() ? rows.next().toArray() : null;
        }

        @Override
        public void close() {}
    }

    @Test
    void importRows_ofManyRows_keepsTheirOrderWithinTheGrant() {
        var session = fixture.open(32 * MIB);
        var source = new Numbers(300_000);
        assertThat(session.importRows(source, FileOutput.parquet(), target()).rows())
                .isEqualTo(300_000);
        assertThat(session.usage().orElseThrow().peakBytes()).isLessThanOrEqualTo(32 * MIB);
        assertThat(session.release()).isInstanceOf(SessionRelease.Proved.class);
        assertThat(source.closed.getCount()).isZero();
        assertThat(fixture.rows("SELECT bool_and(id = n) FROM (SELECT id, row_number() OVER () - 1 AS n FROM"
                                + " read_parquet('"
                                + target() + "'))")
                        .getFirst()
                        .value(0))
                .isEqualTo(true);
    }

    @Test
    void importRows_ofWideText_arriveInPartialChunksWholeAndInOrder() {
        var session = fixture.open(256 * EngineFixture.MIB);
        var wide = new Numbers(600) {
            @Override
            public List<Column> columns() {
                return List.of(new Column("x", "VARCHAR"));
            }

            @Override
            Object value(long number) {
                return number % 3 == 0 ? number + "é" : "y".repeat(20_000) + number;
            }
        };
        assertThat(session.importRows(wide, FileOutput.parquet(), target()).rows())
                .isEqualTo(600);
        session.release();
        var rows = fixture.rows("SELECT count(*), sum(len(x)), max(x) FILTER (len(x) < 9), count(*) FILTER ("
                + "x = CASE WHEN file_row_number % 3 = 0 THEN file_row_number || 'é' ELSE repeat('y', 20000) || file_row_number"
                + " END) FROM read_parquet('" + target() + "', file_row_number = true)");
        assertThat(rows.getFirst().value(0)).isEqualTo(600L);
        assertThat(rows.getFirst().value(2)).isEqualTo("9é");
        assertThat(rows.getFirst().value(3)).isEqualTo(600L);
    }

    @Test
    void importRows_whoseSourceBreaks_failsWithItsException() {
        var broken = new IllegalStateException("the server went away");
        var source = new Numbers(10_000) {
            @Override
            Object value(long number) {
                if (number == 5_000) {
                    throw broken;
                }
                return number;
            }
        };
        var session = fixture.open(64 * MIB);
        assertThatThrownBy(() -> session.importRows(source, FileOutput.parquet(), target()))
                .isInstanceOf(QueryException.class)
                .hasMessageContaining("went away")
                .hasCause(broken);
        assertThat(session.release()).isInstanceOf(SessionRelease.Proved.class);
        assertThat(source.closed.getCount()).isZero();
    }

    @Test
    void importRows_ofAValueThatDoesNotFit_namesTheColumn() {
        var source = new Numbers(10) {
            @Override
            Object value(long number) {
                return number == 3 ? "three" : number;
            }
        };
        var session = fixture.open(64 * MIB);
        assertThatThrownBy(() -> session.importRows(source, FileOutput.parquet(), target()))
                .isInstanceOfSatisfying(QueryException.class, e -> {
                    assertThat(e.code()).isEqualTo(ErrorCode.DATA_ERROR);
                    assertThat(e.facts().value(FactKey.COLUMN)).contains("id");
                });
        session.release();
    }

    @Test
    void cancel_whileTheSourceWaits_endsTheImport() throws Exception {
        var waiting = new CountDownLatch(1);
        var source = new Numbers(10) {
            @Override
            Object value(long number) throws Exception {
                waiting.countDown();
                closed.await();
                throw new IllegalStateException("closed while waiting");
            }
        };
        var session = fixture.open(64 * MIB);
        var canceller = Thread.ofPlatform().start(() -> {
            try {
                waiting.await();
                session.cancel();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        });
        assertThatThrownBy(() -> session.importRows(source, FileOutput.parquet(), target()))
                .isInstanceOfSatisfying(
                        QueryException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.CANCELLED));
        canceller.join();
        assertThat(session.release()).isInstanceOf(SessionRelease.Proved.class);
    }

    @Test
    void cancel_whileTheSourceLooksForItsColumns_endsTheImport() throws Exception {
        var waiting = new CountDownLatch(1);
        var source = new Numbers(10) {
            @Override
            public List<Column> columns() {
                waiting.countDown();
                try {
                    closed.await();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
                throw new IllegalStateException("closed while waiting");
            }
        };
        var session = fixture.open(64 * MIB);
        var canceller = Thread.ofPlatform().start(() -> {
            try {
                waiting.await();
                session.cancel();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        });
        assertThatThrownBy(() -> session.importRows(source, FileOutput.parquet(), target()))
                .isInstanceOfSatisfying(
                        QueryException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.CANCELLED));
        canceller.join();
        assertThat(session.release()).isInstanceOf(SessionRelease.Proved.class);
    }
}
