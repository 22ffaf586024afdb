package dev.weighlock.duckdb;

import static dev.weighlock.duckdb.EngineFixture.MIB;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weighlock.query.ErrorCode;
import dev.weighlock.query.QueryException;
import dev.weighlock.query.Reason;
import dev.weighlock.query.backend.QueryHandle;
import dev.weighlock.query.backend.QueryRequest;
import dev.weighlock.query.report.CancelReason;
import dev.weighlock.query.report.OutcomeKind;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.ipc.ArrowStreamReader;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Results as Arrow streams, read back by Arrow's own reader. */
@Timeout(300)
class ArrowOutputTest {
    @TempDir
    private Path folder;

    private BackendFixture fixture;

    @BeforeEach
    void open() throws Exception {
        fixture = new BackendFixture(folder, 256, 4);
    }

    @AfterEach
    void close() {
        while (!fixture.backend.device().grants().isEmpty()) {
            Thread.onSpinWait();
        }
        fixture.close();
    }

    private QueryHandle submit(String sql, OutputStream out) {
        return fixture.backend.submit(QueryRequest.writeArrow(sql, Map.of(), out));
    }

    private static QueryException error(QueryHandle handle) throws InterruptedException {
        return Objects.requireNonNull(handle.await().error(), "the query succeeded");
    }

    /** Every row with its values as Arrow gives them. */
    private static List<List<@Nullable Object>> read(byte[] stream) throws IOException {
        var rows = new ArrayList<List<@Nullable Object>>();
        try (var allocator = new RootAllocator();
                var reader = new ArrowStreamReader(new ByteArrayInputStream(stream), allocator)) {
            while (reader.loadNextBatch()) {
                var root = reader.getVectorSchemaRoot();
                for (var row = 0; row < root.getRowCount(); row++) {
                    var values = new ArrayList<@Nullable Object>();
                    for (var vector : root.getFieldVectors()) {
                        values.add(vector.getObject(row));
                    }
                    rows.add(values);
                }
            }
        }
        return rows;
    }

    @Test
    void rows_areReadBackEqual_nullsNestedDecimalsAndTimesToo() throws Exception {
        var out = new ByteArrayOutputStream();
        var handle = submit(
                "SELECT i, CASE WHEN i % 2 = 0 THEN 'text ' || i END AS s, CAST(i AS DECIMAL(20, 3)) / 8 AS d,"
                        + " TIMESTAMP '2026-03-29 02:30:00' + to_milliseconds(i) AS t, [i, NULL] AS l, sum(i) OVER () AS h"
                        + " FROM range(5000) t(i) ORDER BY i",
                out);

        assertThat(handle.await().succeeded()).as("%s", handle.await().error()).isTrue();
        assertThat(handle.await().resultRows()).isEqualTo(5_000);
        assertThat(handle.await().resultComplete()).isTrue();
        var rows = read(out.toByteArray());
        assertThat(rows).hasSize(5_000);
        for (var at : new int[] {0, 1, 2_047, 2_048, 4_999}) {
            var row = rows.get(at);
            assertThat(row.get(0)).isEqualTo((long) at);
            assertThat(Objects.toString(row.get(1), null)).isEqualTo(at % 2 == 0 ? "text " + at : null);
            assertThat(Double.parseDouble(Objects.toString(row.get(2)))).isEqualTo(at / 8.0);
            assertThat(row.get(3))
                    .isEqualTo(LocalDateTime.parse("2026-03-29T02:30").plusNanos(at * 1_000_000L));
            assertThat(Objects.toString(row.get(4))).isEqualTo("[" + at + ",null]");
            assertThat(Objects.toString(row.get(5))).isEqualTo("12497500");
        }
    }

    @Test
    void manyRows_areStreamed_withinTheResultAllowance() throws Exception {
        var written = new AtomicLong();
        var handle = submit(
                "SELECT i, 'some text that is not short ' || i AS s FROM range(3000000) t(i)", new OutputStream() {
                    @Override
                    public void write(int one) {
                        written.incrementAndGet();
                    }

                    @Override
                    public void write(byte[] bytes, int from, int count) {
                        written.addAndGet(count);
                    }
                });

        var summary = handle.await();

        assertThat(summary.succeeded()).as("%s", summary.error()).isTrue();
        assertThat(summary.resultRows()).isEqualTo(3_000_000);
        assertThat(written.get()).isGreaterThan(100 * MIB);
        assertThat(summary.peakBytes()).isBetween(1L, 64 * MIB);
    }

    @Test
    void batch_thatDoesNotFitInTheAllowance_failsWithItsCode_andTheNextQueryRuns() throws Exception {
        var handle = submit("SELECT repeat('x', 10000) || i FROM range(4096) t(i)", OutputStream.nullOutputStream());

        var error = error(handle);

        assertThat(error.code()).as(error.getMessage()).isEqualTo(ErrorCode.RESULT_LIMIT_EXCEEDED);
        assertThat(error.facts().has(Reason.RESULT_ALLOWANCE)).isTrue();
        assertThat(error.text()).contains("16MiB", "a larger cap");
        var next = new ByteArrayOutputStream();
        assertThat(submit("SELECT 42", next).await().succeeded()).isTrue();
        assertThat(read(next.toByteArray())).hasSize(1);
    }

    @Test
    void failureBeforeTheFirstRow_hasItsOwnCode() throws Exception {
        assertThat(error(submit("SELECT error('boom')", OutputStream.nullOutputStream())))
                .satisfies(boom -> {
                    assertThat(boom.code()).as(boom.getMessage()).isEqualTo(ErrorCode.DATA_ERROR);
                    assertThat(boom.text()).contains("boom");
                });
        assertThat(error(submit("SELECT list(i) FROM range(30000000) t(i)", OutputStream.nullOutputStream()))
                        .code())
                .isEqualTo(ErrorCode.QUERY_MEMORY_LIMIT_EXCEEDED);
    }

    @Test
    void streamThatBreaksOff_isAFailure_andHasNoEndMark() throws Exception {
        var out = new ByteArrayOutputStream();
        var handle = submit(
                "SELECT CASE WHEN i = 1500000 THEN error('boom') ELSE i::VARCHAR END FROM range(2000000) t(i)", out);

        assertThat(error(handle).code()).isEqualTo(ErrorCode.DATA_ERROR);
        assertThat(error(handle).text()).contains("boom");
        assertThat(handle.await().resultComplete()).isFalse();
        var bytes = out.toByteArray();
        assertThat(List.of(bytes[bytes.length - 8], bytes[bytes.length - 7], bytes[bytes.length - 4]))
                .isNotEqualTo(List.of((byte) -1, (byte) -1, (byte) 0));
    }

    @Test
    void takerThatIsGone_endsTheQuery() throws Exception {
        var handle = submit("SELECT i FROM range(100000000000) t(i)", new OutputStream() {
            @Override
            public void write(int one) throws IOException {
                throw new IOException("Broken pipe");
            }
        });

        assertThat(error(handle).code()).isEqualTo(ErrorCode.CANCELLED);
    }

    @Test
    void cancel_whileStreaming_endsTheQuery() throws Exception {
        var begun = new CountDownLatch(100);
        var handle = submit("SELECT i FROM range(100000000000) t(i)", new OutputStream() {
            @Override
            public void write(int one) {
                begun.countDown();
            }

            @Override
            public void write(byte[] bytes, int from, int count) {
                begun.countDown();
            }
        });
        begun.await();

        handle.cancel(CancelReason.CALLER);

        assertThat(handle.await().outcome()).isEqualTo(OutcomeKind.CANCELLED);
    }
}
