package dev.weighlock.duckdb;

import static dev.weighlock.duckdb.EngineFixture.MIB;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weighlock.query.ErrorCode;
import dev.weighlock.query.QueryException;
import dev.weighlock.query.Reason;
import dev.weighlock.query.admission.AdmissionConfig;
import dev.weighlock.query.backend.QueryHandle;
import dev.weighlock.query.backend.QueryRequest;
import dev.weighlock.query.backend.QueryState;
import dev.weighlock.query.engine.FileOutput;
import dev.weighlock.query.report.CancelReason;
import dev.weighlock.query.report.CapacityDisposition;
import dev.weighlock.query.report.OutcomeKind;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(300)
class QueryBackendTest {
    /** Runs until it is cancelled, without rows before. */
    private static final String ENDLESS =
            "SELECT count(*) FROM range(10000000) a, range(10000000) b WHERE a.range + b.range = -1";

    @TempDir
    private Path folder;

    private BackendFixture fixture;

    @BeforeEach
    void open() throws Exception {
        fixture = new BackendFixture(folder, 256, 4);
    }

    @AfterEach
    void close() {
        fixture.close();
    }

    private QueryHandle submit(QueryRequest request) {
        return fixture.backend.submit(request);
    }

    private QueryHandle submit(String sql) {
        return submit(fixture.select(sql));
    }

    private static void assertFails(ErrorCode code, QueryHandle handle) throws InterruptedException {
        var error = error(handle);
        assertThat(error.code()).as(error.getMessage()).isEqualTo(code);
    }

    private static QueryException error(QueryHandle handle) throws InterruptedException {
        return Objects.requireNonNull(handle.await().error(), "the query succeeded");
    }

    private void assertEmpty() {
        // A grant returns right after its report is out.
        while (!fixture.backend.device().grants().isEmpty()) {
            Thread.onSpinWait();
        }
        assertThat(fixture.backend.live()).isEmpty();
    }

    @Test
    void submit_ofASelect_handsOverRowsAndSealsItsReport() throws Exception {
        var handle = submit(QueryRequest.select("SELECT i, :s AS s FROM range(3) t(i)", Map.of("s", "x"))
                .label("step"));
        var rows = handle.rows().toList();
        assertThat(rows).hasSize(3);
        assertThat(rows.get(2).value("i")).isEqualTo(2L);
        assertThat(rows.get(2).value("s")).isEqualTo("x");
        var summary = handle.await();
        assertThat(summary.outcome()).isEqualTo(OutcomeKind.SUCCEEDED);
        assertThat(summary.resultComplete()).isTrue();
        assertThat(summary.resultRows()).isEqualTo(3);
        assertThat(summary.grantBytes()).isEqualTo(64 * MIB);
        assertThat(summary.peakBytes()).isBetween(1L, 64 * MIB);
        assertThat(summary.report().capacity().disposition()).isEqualTo(CapacityDisposition.RELEASED);
        assertThat(summary.queueWait()).isNotNull();
        assertThat(handle.state()).isInstanceOf(QueryState.Done.class);
        assertEmpty();
    }

    @Test
    void submit_ofAFile_writesIt() throws Exception {
        var file = fixture.files.out.resolve("x.part");
        var handle = submit(QueryRequest.writeFile("SELECT * FROM range(10)", Map.of(), FileOutput.csv(), file)
                .writing(List.of(fixture.files.out)));
        assertThat(handle.awaitFile().rows()).isEqualTo(10);
        assertThat(Files.readAllLines(file)).hasSize(11);
        assertThat(handle.await().resultRows()).isEqualTo(10);
    }

    @Test
    void submit_ofWhatIsNoQuery_isRefusedBeforeAnyGrant() throws Exception {
        for (var sql : new String[] {
            "SET memory_limit = '1GB'",
            "COPY (SELECT 1) TO 'x'",
            "ATTACH 'x'",
            "INSTALL x",
            "SELECT 1; SELECT 2",
            "CREATE TABLE t (a INT)",
            "WITH x AS (DELETE FROM t RETURNING *) SELECT * FROM x"
        }) {
            var handle = submit(sql);
            assertFails(ErrorCode.STATEMENT_REFUSED, handle);
            assertThat(handle.await().grantBytes()).isNull();
            assertThat(handle.await().resultRows()).isNull();
        }
        assertFails(ErrorCode.SQL_ERROR, submit("SELECT :missing"));
        assertFails(ErrorCode.SQL_ERROR, submit("SELEC"));
        assertFails(ErrorCode.INVALID_PLAN, submit(fixture.select("SELECT 1").cap(MIB)));
        assertFails(
                ErrorCode.QUERY_BUDGET_UNAVAILABLE,
                submit(fixture.select("SELECT 1").cap(1024 * MIB)));
        assertEmpty();
    }

    @Test
    void submit_ofOneThatCannotSpill_failsAloneWhileOthersFinish() throws Exception {
        var good = List.of(
                submit("SELECT sum(i) FROM range(3000000) t(i)"), submit("SELECT max(i) FROM range(3000000) t(i)"));
        var bad = submit("SELECT list(i) FROM range(30000000) t(i)");
        for (var handle : good) {
            assertThat(handle.rows().toList()).hasSize(1);
        }
        assertThatThrownBy(() -> bad.rows().toList())
                .isInstanceOfSatisfying(
                        QueryException.class,
                        e -> assertThat(e.code()).isEqualTo(ErrorCode.QUERY_MEMORY_LIMIT_EXCEEDED))
                .hasMessageContaining("64MiB")
                .hasMessageContaining("larger cap");
        assertThat(bad.await().report().retryAdvice().name()).isEqualTo("RETRY_LARGER_GRANT");
        assertEmpty();
    }

    @Test
    void rows_ofALargeResultUnderASmallGrant_stayBounded() throws Exception {
        var handle =
                submit(fixture.select("SELECT i, 'some text that is not short ' || i AS s FROM range(2000000) t(i)")
                        .cap(32 * MIB));
        var count = 0L;
        var unread = 0L;
        try (var rows = handle.rows()) {
            for (var row = rows.next(); row.isPresent(); row = rows.next()) {
                count++;
                unread = Math.max(unread, count % 1000 == 0 ? handle.progress().unreadBytes() : 0);
            }
        }
        assertThat(count).isEqualTo(2_000_000);
        assertThat(unread).isLessThanOrEqualTo(8 * MIB);
        assertThat(handle.await().peakBytes()).isLessThanOrEqualTo(32 * MIB);
        assertThat(handle.await().resultComplete()).isTrue();
    }

    @Test
    void firstRows_endTheQueryWithSuccess() throws Exception {
        var handle =
                submit(fixture.select("SELECT i FROM range(100000000) t(i)").firstRows(100));
        assertThat(handle.rows().toList()).hasSize(100);
        assertThat(handle.await().succeeded()).isTrue();
        assertThat(handle.await().resultComplete()).isFalse();
        var exact = submit(fixture.select("SELECT i FROM range(100) t(i)").firstRows(100));
        assertThat(exact.rows().toList()).hasSize(100);
        assertThat(exact.await().resultComplete()).isTrue();
    }

    @Test
    void maxRows_exceeded_fails() throws Exception {
        var handle = submit(fixture.select("SELECT i FROM range(100000) t(i)").maxRows(10));
        assertThatThrownBy(() -> handle.rows().toList()).isInstanceOf(QueryException.class);
        assertFails(ErrorCode.RESULT_LIMIT_EXCEEDED, handle);
    }

    @Test
    void cancel_whileExecuting_endsAtOnceAndReleasesTheGrant() throws Exception {
        var handle = submit(ENDLESS);
        awaitRunning(handle);
        handle.cancel(CancelReason.CALLER);
        var summary = handle.await();
        assertThat(summary.outcome()).isEqualTo(OutcomeKind.CANCELLED);
        assertThat(summary.report().cancelReason()).isEqualTo(CancelReason.CALLER);
        assertThat(summary.report().capacity().disposition()).isEqualTo(CapacityDisposition.RELEASED);
        assertThatThrownBy(() -> handle.rows().next()).isInstanceOf(QueryException.class);
        assertEmpty();
    }

    @Test
    void keepPages_keepsEveryRowInOrder_chargedAndSafeAfterTheEngineLetGo() throws Exception {
        var handle = submit(QueryRequest.keepPages(
                "SELECT i, 'row ' || i AS s, [i, NULL] AS l FROM range(5000) t(i) ORDER BY i", Map.of(), 700));
        try (var result = handle.awaitPages()) {
            var books = fixture.backend.device().snapshot();
            assertThat(books.frozenResidentBytes()).isEqualTo(result.bytes()).isPositive();
            assertThat(books.active()).isZero();
            assertThat(handle.await().report().capacity().disposition()).isEqualTo(CapacityDisposition.FROZEN_RESIDENT);
            assertThat(handle.await().peakBytes()).isGreaterThanOrEqualTo(result.bytes());
            assertThat(result.columns()).extracting("name").containsExactly("i", "s", "l");
            var at = 0L;
            for (var number = 0; number < result.pages(); number++) {
                try (var page = result.page(number).orElseThrow()) {
                    for (var row : page.rows()) {
                        assertThat(row.value("i")).isEqualTo(at);
                        assertThat(row.value("s")).isEqualTo("row " + at++);
                    }
                }
            }
            assertThat(at).isEqualTo(5_000).isEqualTo(result.rows());
            try (var again = result.page(0).orElseThrow()) {
                assertThat(again.rows()).hasSize(700);
            }
        }
        assertEmpty();
        assertThat(fixture.backend.device().snapshot().frozenResidentBytes()).isZero();
    }

    @Test
    void keepPages_ofMoreThanMayBeKept_failsWithItsCode() throws Exception {
        var handle = submit(QueryRequest.keepPages("SELECT repeat('x', 1000) FROM range(40000)", Map.of(), 100));
        assertFails(ErrorCode.RESULT_LIMIT_EXCEEDED, handle);
        assertThat(fixture.backend.keptResults()).isEmpty();
        assertEmpty();
    }

    private static void awaitRunning(QueryHandle handle) {
        while (!(handle.state() instanceof QueryState.Running)) {
            Thread.onSpinWait();
        }
    }

    @Test
    void cancel_whileQueued_neverRuns() throws Exception {
        var first = submit(fixture.select(ENDLESS).cap(256 * MIB));
        awaitRunning(first);
        var second = submit(fixture.select("SELECT 1").cap(256 * MIB));
        while (!(second.state() instanceof QueryState.Waiting)) {
            Thread.onSpinWait();
        }
        assertThat(((QueryState.Waiting) second.state()).reason()).isNotBlank();
        second.cancel(CancelReason.CLIENT_LOST);
        assertThat(second.await().outcome()).isEqualTo(OutcomeKind.CANCELLED);
        assertThat(second.await().grantBytes()).isNull();
        var third = submit(fixture.select("SELECT 3").cap(256 * MIB));
        first.cancel(CancelReason.CALLER);
        assertThat(third.rows().toList()).hasSize(1);
        first.await();
        third.await();
        assertEmpty();
    }

    @Test
    void cancel_rightAfterSubmit_isNeverLost() throws Exception {
        var handles = new ArrayList<QueryHandle>();
        for (var i = 0; i < 20; i++) {
            var handle = submit(ENDLESS);
            handle.cancel(CancelReason.CALLER);
            handles.add(handle);
        }
        for (var handle : handles) {
            assertThat(handle.await().outcome()).isEqualTo(OutcomeKind.CANCELLED);
        }
        assertEmpty();
    }

    @Test
    void cancel_whileFetching_endsTheReaderToo() throws Exception {
        var handle = submit("SELECT i FROM range(100000000000) t(i)");
        assertThat(handle.rows().next()).isPresent();
        handle.cancel(CancelReason.CALLER);
        assertThatThrownBy(() -> handle.rows().toList())
                .isInstanceOfSatisfying(
                        QueryException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.CANCELLED));
        assertThat(handle.await().outcome()).isEqualTo(OutcomeKind.CANCELLED);
        assertEmpty();
    }

    @Test
    void rows_closedBeforeTheEnd_cancelTheQuery() throws Exception {
        var handle = submit("SELECT i FROM range(100000000000) t(i)");
        try (var rows = handle.rows()) {
            assertThat(rows.columns().getFirst().name()).isEqualTo("i");
            assertThat(rows.next()).isPresent();
        }
        assertThat(handle.await().outcome()).isEqualTo(OutcomeKind.CANCELLED);
    }

    @Test
    void deadline_endsARunningQuery() throws Exception {
        var handle = submit(fixture.select(ENDLESS).deadline(Duration.ofMillis(300)));
        var summary = handle.await();
        assertThat(summary.outcome()).isEqualTo(OutcomeKind.CANCELLED);
        assertThat(error(handle).facts().has(Reason.DEADLINE_EXPIRED)).isTrue();
        assertThat(summary.report().cancelReason()).isNull();
        assertEmpty();
    }

    @Test
    void queue_thatIsFull_refuses() throws Exception {
        try (var small = new BackendFixture(
                Files.createDirectory(folder.resolve("small")), 64, 1, AdmissionConfig.DEFAULT.withQueueLimit(1))) {
            var running = small.backend.submit(small.select(ENDLESS));
            awaitRunning(running);
            var waiting = small.backend.submit(small.select("SELECT 1"));
            while (!(waiting.state() instanceof QueryState.Waiting)) {
                Thread.onSpinWait();
            }
            assertFails(ErrorCode.SERVICE_OVERLOADED, small.backend.submit(small.select("SELECT 2")));
            running.cancel(CancelReason.CALLER);
            assertThat(waiting.rows().toList()).hasSize(1);
        }
    }

    @Test
    void close_endsQueuedAndRunningQueries() throws Exception {
        var running = submit(fixture.select(ENDLESS).cap(256 * MIB));
        awaitRunning(running);
        var queued = submit(fixture.select("SELECT 1").cap(256 * MIB));
        fixture.backend.close();
        assertThat(running.await().report().cancelReason()).isEqualTo(CancelReason.SHUTDOWN);
        assertThat(queued.await().outcome()).isEqualTo(OutcomeKind.CANCELLED);
        assertThatThrownBy(() -> submit("SELECT 1"))
                .isInstanceOfSatisfying(
                        QueryException.class,
                        e -> assertThat(e.facts().has(Reason.BACKEND_CLOSING)).isTrue());
        assertEmpty();
    }

    @Test
    void heartbeats_onVirtualThreads_keepBeatingWhileTwoQueriesRun() throws Exception {
        var queries = List.of(submit(ENDLESS), submit(ENDLESS));
        queries.forEach(QueryBackendTest::awaitRunning);
        var beats = new CountDownLatch(200);
        for (var i = 0; i < 4; i++) {
            Thread.startVirtualThread(() -> {
                while (beats.getCount() > 0) {
                    beats.countDown();
                    LockSupport.parkNanos(1_000_000);
                }
            });
        }
        beats.await();
        assertThat(queries).allSatisfy(query -> assertThat(query.summary()).isEmpty());
        queries.forEach(query -> query.cancel(CancelReason.CALLER));
        for (var query : queries) {
            query.await();
        }
    }
}
