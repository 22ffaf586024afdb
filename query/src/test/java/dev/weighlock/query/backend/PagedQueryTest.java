package dev.weighlock.query.backend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weighlock.query.ErrorCode;
import dev.weighlock.query.QueryException;
import dev.weighlock.query.Reason;
import dev.weighlock.query.device.GrantState;
import dev.weighlock.query.lifecycle.ClosingSlice;
import dev.weighlock.query.report.CancelReason;
import dev.weighlock.query.report.CapacityDisposition;
import dev.weighlock.query.report.OutcomeKind;
import dev.weighlock.query.testing.ScriptedEngine;
import dev.weighlock.query.testing.TestDevices;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Queries whose results are kept for paging. */
@Timeout(300)
class PagedQueryTest {
    private static final long MIB = 1L << 20;
    private static final long ROW = 64;

    private final ScriptedEngine engine = new ScriptedEngine();
    private final BackendSettings settings = BackendSettings.of(
            TestDevices.host(0, 256 * MIB, 1).defaultQueryLimit(64 * MIB).resolve());

    private static QueryRequest keep(String sql) {
        return QueryRequest.keepPages(sql, Map.of(), 100);
    }

    @Test
    void keptResult_isChargedAsWhatItTakes_andHoldsNoSlot() throws Exception {
        try (var backend = TestBackends.open(settings, engine)) {
            var handle = backend.submit(keep("ROWS 250"));
            var result = handle.awaitPages();

            var report = handle.await().report();
            assertThat(report.capacity().disposition()).isEqualTo(CapacityDisposition.FROZEN_RESIDENT);
            assertThat(report.result().rows()).isEqualTo(250);
            assertThat(result.bytes()).isEqualTo(250 * ROW);
            assertThat(result.pages()).isEqualTo(3);
            var books = backend.device();
            assertThat(books.snapshot().frozenResidentBytes()).isEqualTo(250 * ROW);
            assertThat(books.snapshot().active()).isZero();
            assertThat(books.grants()).singleElement().satisfies(row -> {
                assertThat(row.state()).isEqualTo(GrantState.RELEASED);
                assertThat(row.frozenResidentBytes()).hasValue(250 * ROW);
            });
            assertThat(backend.keptResult(handle.attemptId())).containsSame(result);
            assertThat(backend.live()).isEmpty();
            // The only slot is free: another query runs beside the pages.
            assertThat(backend.submit(QueryRequest.select("ROWS 1", Map.of()))
                            .rows()
                            .toList())
                    .hasSize(1);

            result.close();

            assertThat(backend.keptResults()).isEmpty();
            TestBackends.await(() -> backend.device().grants().isEmpty());
            assertThat(backend.counters().reportsReady()).isEqualTo(2);
        }
        assertThat(engine.openSessions()).isZero();
    }

    @Test
    void emptyResult_hasOneEmptyPage_andChargesNothing() throws Exception {
        try (var backend = TestBackends.open(settings, engine)) {
            var handle = backend.submit(keep("ROWS 0"));
            var result = handle.awaitPages();

            assertThat(handle.await().report().capacity().disposition()).isEqualTo(CapacityDisposition.RELEASED);
            assertThat(result.pages()).isEqualTo(1);
            assertThat(result.bytes()).isZero();
            try (var page = result.page(0).orElseThrow()) {
                assertThat(page.rows()).isEmpty();
            }
            assertThatThrownBy(() -> result.page(1)).isInstanceOf(IndexOutOfBoundsException.class);
        }
    }

    @Test
    void queryThatWaitsForTheRoomOfAResult_isLetInWhenTheResultExpires() throws Exception {
        var brief = settings.withKeptResults(new KeptResultLimits(Duration.ofMillis(300), 4, 32 * MIB));
        try (var backend = TestBackends.open(brief, engine)) {
            var result = backend.submit(keep("ROWS 250")).awaitPages();
            var waiting = backend.submit(
                    QueryRequest.select("ROWS 2", Map.of()).cap(256 * MIB).label("large"));

            assertThat(waiting.rows().toList()).hasSize(2);

            assertThat(result.ending()).contains(PagedResult.Ending.EXPIRED);
            assertThat(waiting.await().queueWait()).isPositive();
        }
    }

    @Test
    void result_thatIsTooLargeToBeKept_failsItsQuery_andLeavesNothing() throws Exception {
        var small = settings.withKeptResults(new KeptResultLimits(Duration.ofMinutes(1), 4, 100 * ROW));
        try (var backend = TestBackends.open(small, engine)) {
            var handle = backend.submit(keep("ROWS 101"));

            assertThatThrownBy(handle::awaitPages).isInstanceOfSatisfying(QueryException.class, error -> {
                assertThat(error.code()).isEqualTo(ErrorCode.RESULT_LIMIT_EXCEEDED);
                assertThat(error.facts().has(Reason.RESULT_ALLOWANCE)).isTrue();
            });
            assertThat(backend.submit(keep("ROWS 100")).awaitPages().rows()).isEqualTo(100);
            assertThat(backend.keptResults()).hasSize(1);
        }
    }

    @Test
    void queryThatFailsOrIsCancelled_keepsNothing() throws Exception {
        try (var backend = TestBackends.open(settings, engine)) {
            var broken = backend.submit(keep("BROKEN 3"));
            assertThatThrownBy(broken::awaitPages).isInstanceOf(QueryException.class);
            var running = backend.submit(keep("WAIT"));
            TestBackends.await(() -> running.state() instanceof QueryState.Running);

            running.cancel(CancelReason.CALLER);

            assertThat(running.await().outcome()).isEqualTo(OutcomeKind.CANCELLED);
            assertThat(backend.keptResults()).isEmpty();
            TestBackends.await(() -> backend.device().grants().isEmpty());
        }
    }

    @Test
    void engineThatKeepsItsSession_leavesThePagesReadable_inTheWholeGrant() throws Exception {
        var backend = QueryBackend.open(settings, engine);
        var handle = backend.submit(keep("KEEP"));
        var result = handle.awaitPages();

        assertThat(handle.await().report().capacity().disposition()).isEqualTo(CapacityDisposition.RETAINED_QUARANTINE);
        assertThat(result.page(0).orElseThrow().rows()).hasSize(1);
        assertThat(backend.device().snapshot().liveGrantBytes()).isEqualTo(64 * MIB);
        assertThat(backend.close(Duration.ofMillis(50)).isComplete()).isFalse();
    }

    @Test
    void close_endsKeptResults_andNamesAPageThatIsStillOpen() throws Exception {
        var backend = TestBackends.open(settings, engine);
        var result = backend.submit(keep("ROWS 250")).awaitPages();
        var page = result.page(2).orElseThrow();

        var early = backend.close(Duration.ofMillis(100));

        assertThat(early.isComplete()).isFalse();
        assertThat(early.stuckAt()).contains(ClosingSlice.DEVICE_PERMITS_ZERO);
        assertThat(early.toString()).contains("kept result of attempt " + result.attemptId());
        assertThat(result.ending()).contains(PagedResult.Ending.BACKEND_CLOSED);
        assertThat(page.rows()).hasSize(50);
        page.close();
        assertThat(backend.close(Duration.ofSeconds(30)).isComplete()).isTrue();
        assertThat(backend.openHandles()).isEmpty();
    }

    @Test
    void pages_ofAnythingElse_areAMistakeOfTheCaller() throws Exception {
        try (var backend = TestBackends.open(settings, engine)) {
            var rows = backend.submit(QueryRequest.select("ROWS 1", Map.of()));
            assertThatIllegalStateException().isThrownBy(rows::awaitPages);
            rows.rows().toList();
            var pages = backend.submit(keep("ROWS 1"));
            assertThatIllegalStateException().isThrownBy(pages::rows);
            assertThatIllegalStateException().isThrownBy(pages::awaitFile);
            pages.awaitPages();
        }
    }
}
