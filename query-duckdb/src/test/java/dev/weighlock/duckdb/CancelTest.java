package dev.weighlock.duckdb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weighlock.query.ErrorCode;
import dev.weighlock.query.QueryException;
import dev.weighlock.query.admission.AdmissionConfig;
import dev.weighlock.query.backend.QueryHandle;
import dev.weighlock.query.backend.QueryState;
import dev.weighlock.query.device.GrantState;
import dev.weighlock.query.lifecycle.OpenHandles;
import dev.weighlock.query.report.CancelReason;
import dev.weighlock.query.report.CapacityDisposition;
import dev.weighlock.query.report.OutcomeKind;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Fifty real cancels at each place, and cancels of work that does not listen. */
@Timeout(300)
class CancelTest {
    private static final int EACH = 50;
    private static final String ENDLESS =
            "SELECT count(*) FROM range(10000000) a, range(10000000) b WHERE a.range + b.range = -1";
    private static final String ENDLESS_ROWS = "SELECT i FROM range(100000000000) t(i)";

    /** Folded while it is prepared, in little memory, for about ten seconds on an idle machine. */
    private static final String DEAF_FOLD = "SELECT levenshtein(repeat('ab', 17000), repeat('ba', 17000))";

    /** The list is made while it is prepared. */
    private static final String DEAF_UNNEST = "SELECT count(*) FROM (SELECT unnest(range(6000000)) AS x) WHERE x = -1";

    /** Processor time that parsing and binding never take. */
    private static final long DEEP_NANOS = 50_000_000;

    @TempDir
    private Path folder;

    private BackendFixture fixture;

    @BeforeEach
    void open() throws Exception {
        fixture = new BackendFixture(folder, 256, 4, AdmissionConfig.DEFAULT.withCleaningLimit(Duration.ofMinutes(5)));
    }

    @AfterEach
    void close() {
        fixture.close();
    }

    private QueryHandle submit(String sql) {
        return fixture.backend.submit(fixture.select(sql));
    }

    private static void cancel(QueryHandle handle) {
        handle.cancel(CancelReason.CALLER);
    }

    private static void assertCancelled(List<QueryHandle> handles) throws InterruptedException {
        for (var handle : handles) {
            assertThat(handle.await().outcome()).isEqualTo(OutcomeKind.CANCELLED);
        }
    }

    private static void awaitRunning(QueryHandle handle) {
        while (!(handle.state() instanceof QueryState.Running)) {
            Thread.onSpinWait();
        }
    }

    /**
     * Inside the engine's native prepare, where no progress shows, and deep enough that the engine looks for no interrupt any
     * more: a busy machine may leave it at the door for long.
     */
    private static void awaitPreparing(QueryHandle handle) {
        var name = "weighlock-query-" + handle.attemptId();
        var thread = awaitThread(name);
        var spent = ManagementFactory.getThreadMXBean().getThreadCpuTime(thread.threadId());
        while (ManagementFactory.getThreadMXBean().getThreadCpuTime(thread.threadId()) < spent + DEEP_NANOS) {
            assertThat(handle.summary()).isEmpty();
        }
    }

    private static Thread awaitThread(String name) {
        while (true) {
            for (var entry : Thread.getAllStackTraces().entrySet()) {
                if (entry.getKey().getName().equals(name)
                        && entry.getValue().length > 0
                        && entry.getValue()[0].getMethodName().equals("duckdb_jdbc_prepare")) {
                    return entry.getKey();
                }
            }
        }
    }

    /** Until the engine shows progress, which it does not for every plan. */
    private static void awaitProgress(QueryHandle handle) {
        for (var tries = 0; tries < 500 && handle.progress().fraction().isEmpty(); tries++) {
            LockSupport.parkNanos(1_000_000);
        }
    }

    /** No grant, no thread, no file. */
    private void assertNothingLeft() throws Exception {
        while (!fixture.backend.device().grants().isEmpty()) {
            Thread.onSpinWait();
        }
        assertThat(fixture.backend.live()).isEmpty();
        var snapshot = fixture.backend.device().snapshot();
        assertThat(snapshot.active()).isZero();
        assertThat(snapshot.liveGrantBytes()).isZero();
        while (Thread.getAllStackTraces().keySet().stream()
                .anyMatch(thread -> thread.getName().matches("weighlock-(query|cancel)-.*"))) {
            Thread.onSpinWait();
        }
        try (var files = Files.walk(fixture.files.tempRoot)) {
            assertThat(files.filter(Files::isRegularFile))
                    .allSatisfy(file -> assertThat(file.toString()).endsWith(".lock"));
        }
    }

    @Test
    void cancels_inTheQueue_neverRun() throws Exception {
        var running = fixture.backend.submit(fixture.select(ENDLESS).cap(256 * EngineFixture.MIB));
        awaitRunning(running);
        var handles = new ArrayList<QueryHandle>();
        for (var i = 0; i < EACH; i++) {
            handles.add(submit("SELECT 1"));
        }
        for (var handle : handles) {
            while (!(handle.state() instanceof QueryState.Waiting)) {
                Thread.onSpinWait();
            }
            cancel(handle);
        }
        assertCancelled(handles);
        assertThat(handles)
                .allSatisfy(handle -> assertThat(handle.await().grantBytes()).isNull());
        cancel(running);
        running.await();
        assertNothingLeft();
    }

    @Test
    void cancels_whilePlanning_neverRun() throws Exception {
        var handles = new ArrayList<QueryHandle>();
        for (var i = 0; i < EACH; i++) {
            var handle = submit(ENDLESS + " AND " + i + " IN (" + "1, ".repeat(2_000) + i + ")");
            cancel(handle);
            handles.add(handle);
        }
        assertCancelled(handles);
        assertNothingLeft();
    }

    @Test
    void cancels_atHandOver_endWhatBegan() throws Exception {
        var handles = new ArrayList<QueryHandle>();
        for (var i = 0; i < EACH; i++) {
            var handle = submit(ENDLESS);
            awaitRunning(handle);
            cancel(handle);
            handles.add(handle);
        }
        assertCancelled(handles);
        assertNothingLeft();
    }

    @Test
    void cancels_whileExecuting_endTheEnginesWork() throws Exception {
        for (var i = 0; i < EACH; i++) {
            var handle = submit(ENDLESS);
            awaitRunning(handle);
            awaitProgress(handle);
            cancel(handle);
            assertCancelled(List.of(handle));
            assertThat(handle.await().report().capacity().disposition()).isEqualTo(CapacityDisposition.RELEASED);
        }
        assertNothingLeft();
    }

    @Test
    void cancels_whileFetching_endStreamAndReader() throws Exception {
        for (var i = 0; i < EACH; i++) {
            var handle = submit(ENDLESS_ROWS);
            for (var row = 0; row < 10 * i + 1; row++) {
                assertThat(handle.rows().next()).isPresent();
            }
            cancel(handle);
            assertThatThrownBy(() -> handle.rows().next())
                    .isInstanceOfSatisfying(
                            QueryException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.CANCELLED));
            assertCancelled(List.of(handle));
        }
        assertNothingLeft();
    }

    @Test
    void cancels_afterTheEnd_changeNothing() throws Exception {
        for (var i = 0; i < EACH; i++) {
            var handle = submit("SELECT " + i);
            assertThat(handle.rows().toList()).hasSize(1);
            handle.await();
            cancel(handle);
            assertThat(handle.await().succeeded()).isTrue();
            assertThat(handle.await().report().cancelReason()).isNull();
        }
        assertNothingLeft();
    }

    @Test
    void cancels_ofDeafWork_decideAtOnceAndCleanUntilTheEngineLetsGo() throws Exception {
        // One after the other: the second would be over while the test waits for the first.
        var handles = new ArrayList<QueryHandle>();
        for (var sql : List.of(DEAF_FOLD, DEAF_UNNEST)) {
            var handle = submit(sql);
            handles.add(handle);
            awaitPreparing(handle);
            cancel(handle);
            assertThatThrownBy(() -> handle.rows().next()).isInstanceOf(QueryException.class);
            assertThat(handle.state()).isInstanceOf(QueryState.Cleaning.class);
            assertThat(handle.summary()).isEmpty();
        }
        assertThat(fixture.backend.device().grants())
                .hasSize(2)
                .allSatisfy(grant -> assertThat(grant.state()).isEqualTo(GrantState.CLEANING));
        var closing = fixture.backend.close(Duration.ofMillis(50));
        assertThat(closing.isComplete()).isFalse();
        assertThat(closing.held())
                .extracting(OpenHandles.Handle::holder)
                .anySatisfy(holder -> assertThat(holder)
                        .contains(handles.getFirst().attemptId().toString()));
        assertCancelled(handles);
        assertThat(handles)
                .allSatisfy(
                        handle -> assertThat(handle.await().report().capacity().disposition())
                                .isEqualTo(CapacityDisposition.RELEASED));
        assertNothingLeft();
    }
}
