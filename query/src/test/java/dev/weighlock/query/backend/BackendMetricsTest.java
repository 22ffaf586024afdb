package dev.weighlock.query.backend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weighlock.query.ErrorCode;
import dev.weighlock.query.QueryException;
import dev.weighlock.query.attempt.AttemptCounters;
import dev.weighlock.query.metric.AttemptSeries;
import dev.weighlock.query.metric.MetricsSnapshot;
import dev.weighlock.query.report.CancelReason;
import dev.weighlock.query.report.Disposition;
import dev.weighlock.query.report.OutcomeKind;
import dev.weighlock.query.testing.ScriptedEngine;
import dev.weighlock.query.testing.TestDevices;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/** What a whole backend counts of its queries. */
class BackendMetricsTest {
    private static final long MIB = 1L << 20;

    private final ScriptedEngine engine = new ScriptedEngine();
    private final BackendSettings settings = BackendSettings.of(
            TestDevices.host(0, 256 * MIB, 4).defaultQueryLimit(64 * MIB).resolve());

    private static QueryRequest script(String sql) {
        return QueryRequest.select(sql, Map.of());
    }

    @Test
    void everyQuery_isCountedOnceByItsOutcome_andNothingIsLeft() throws Exception {
        try (var backend = TestBackends.open(settings, engine)) {
            var handles = new ArrayList<QueryHandle>();
            for (var round = 0; round < 10; round++) {
                handles.add(backend.submit(script("ROWS 3")));
                handles.add(backend.submit(script("FAIL ENGINE_ERROR")));
                handles.add(backend.submit(script("PANIC")));
                handles.add(backend.submit(script("no script")));
                handles.add(backend.submit(script("WAIT")));
                handles.add(backend.submit(script("ROWS 1").cap(512 * MIB)));
            }
            handles.stream().filter(BackendMetricsTest::waits).forEach(each -> each.cancel(CancelReason.CALLER));
            endAll(handles);

            var metrics = backend.metrics();
            assertThat(count(metrics, Disposition.NATIVE, OutcomeKind.SUCCEEDED))
                    .isEqualTo(10);
            assertThat(count(metrics, Disposition.NATIVE, OutcomeKind.FAILED)).isEqualTo(20);
            assertThat(count(metrics, Disposition.NATIVE, OutcomeKind.PANICKED)).isEqualTo(10);
            assertThat(count(metrics, Disposition.NATIVE, OutcomeKind.CANCELLED)
                            + count(metrics, Disposition.UNPLANNED, OutcomeKind.CANCELLED))
                    .isEqualTo(10);
            assertThat(count(metrics, Disposition.UNPLANNED, OutcomeKind.FAILED))
                    .isEqualTo(10);
            assertThat(completed(metrics)).isEqualTo(60);
            assertThat(backend.counters()).isEqualTo(new AttemptCounters.Snapshot(60, 60, 0, 0));
        }
    }

    @Test
    void closedBackend_showsZeroGaugesAtTheLedgersSequence() throws Exception {
        var backend = TestBackends.open(settings, engine);
        var waiting = backend.submit(script("WAIT"));
        end(backend.submit(script("ROWS 2")));

        assertThat(backend.close(Duration.ofSeconds(30)).isComplete()).isTrue();

        var device = backend.metrics().device(0).orElseThrow();
        assertThat(waiting.await().report().cancelReason()).isEqualTo(CancelReason.SHUTDOWN);
        assertThat(completed(backend.metrics()))
                .isEqualTo(backend.counters().attemptsBegun())
                .isEqualTo(2);
        assertThat(device.activeAttempts()).isZero();
        assertThat(device.liveGrantBytes()).isZero();
        assertThat(device.residentOwnerBytes()).isZero();
        assertThat(device.ledgerSequence())
                .isEqualTo(backend.device().snapshot().sequence());
        assertThat(device.open()).isFalse();
        assertThat(backend.openHandles()).isEmpty();
        assertThat(engine.openSessions()).isZero();
    }

    @Test
    void generations_ofTwoBackends_differ() {
        try (var first = TestBackends.open(settings, engine);
                var second = TestBackends.open(settings, engine)) {
            assertThat(first.metrics().backendGeneration()).isPositive();
            assertThat(first.metrics().isTornAgainst(second.metrics())).isTrue();
        }
    }

    @Test
    void submit_afterClose_isRefusedAndNotCounted() {
        var backend = TestBackends.open(settings, engine);
        backend.close();

        assertThatThrownBy(() -> backend.submit(script("ROWS 1")))
                .isInstanceOfSatisfying(
                        QueryException.class,
                        refused -> assertThat(refused.code()).isEqualTo(ErrorCode.CANCELLED));
        assertThat(backend.counters().attemptsBegun()).isZero();
        assertThat(completed(backend.metrics())).isZero();
    }

    private static boolean waits(QueryHandle handle) {
        return handle.request().work().sql().orElseThrow().sql().equals("WAIT");
    }

    /** One reader a query: rows that nobody reads keep their grant, and the query that is read first may wait for it. */
    private static void endAll(List<QueryHandle> handles) throws InterruptedException {
        try (var readers = Executors.newVirtualThreadPerTaskExecutor()) {
            readers.invokeAll(handles.stream()
                            .map(handle -> Executors.callable(() -> end(handle)))
                            .toList())
                    .forEach(Future::resultNow);
        }
    }

    /** Reads a query's rows and waits for its report. */
    private static void end(QueryHandle handle) {
        try (var rows = handle.rows()) {
            rows.toList();
        } catch (QueryException asScripted) {
            assertThat(asScripted.code()).isNotNull();
        }
        try {
            handle.await();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private static long count(MetricsSnapshot metrics, Disposition disposition, OutcomeKind outcome) {
        return metrics.completed(new AttemptSeries(disposition, outcome));
    }

    private static long completed(MetricsSnapshot metrics) {
        return List.copyOf(metrics.completed().values()).stream()
                .mapToLong(Long::longValue)
                .sum();
    }
}
