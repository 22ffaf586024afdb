package dev.weighlock.query.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weighlock.query.Reason;
import dev.weighlock.query.backend.QueryHandle;
import dev.weighlock.query.backend.QueryRequest;
import dev.weighlock.query.backend.QueryState;
import dev.weighlock.query.report.CancelReason;
import dev.weighlock.query.report.CapacityDisposition;
import java.time.Duration;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** One deadline over planning, queue, execution and fetching. */
abstract class DeadlineCases extends CancelCases {
    private static final Duration SHORT = Duration.ofMillis(150);

    @Test
    void deadline_duringPlanning_endsTheQueryWithoutAGrant() {
        gated.gate(Phase.PLANNING);
        var handle = submit(request(under.rows(1)).deadline(SHORT));
        assertExpired(handle);
        assertThat(await(handle).report().admission()).isNull();
        gated.openAll();
        assertThat(submit(under.rows(1)).rows().toList()).hasSize(1);
        assertEmptied();
    }

    @Test
    void deadline_inTheQueue_endsTheQueryWithoutAGrant() {
        var running = submit(whole(under.endless()));
        awaitTrue(() -> running.state() instanceof QueryState.Running);
        var waiting = submit(whole(under.rows(1)).deadline(SHORT));
        assertExpired(waiting);
        assertThat(await(waiting).report().admission()).isNull();
        running.cancel(CancelReason.CALLER);
        await(running);
        assertEmptied();
    }

    @Test
    void deadline_duringExecution_endsTheQueryAndItsGrant() {
        assertExpiresInItsGrant(request(under.endless()), () -> {});
    }

    @Test
    void deadline_duringFetch_endsTheQueryAndItsGrant() {
        assertExpiresInItsGrant(request(under.endlessRows()), () -> gated.gate(Phase.FETCHING));
    }

    /** With a longer deadline, until the machine is fast enough to reach the grant before it. */
    private void assertExpiresInItsGrant(QueryRequest request, Runnable hold) {
        for (var deadline = SHORT; ; deadline = deadline.multipliedBy(2)) {
            hold.run();
            var handle = submit(request.deadline(deadline));
            awaitTrue(() -> handle.state() instanceof QueryState.Cleaning || handle.state() instanceof QueryState.Done);
            gated.openAll();
            assertExpired(handle);
            if (await(handle).report().admission() != null) {
                assertLetGo(handle);
                return;
            }
        }
    }

    private QueryRequest whole(String sql) {
        return request(sql).cap(4 * GRANT);
    }

    private void assertExpired(QueryHandle handle) {
        var summary = await(handle);
        assertCancelled(summary);
        var error = Objects.requireNonNull(summary.error());
        assertThat(error.facts().has(Reason.DEADLINE_EXPIRED)).isTrue();
        assertThat(summary.report().cancelReason()).isNull();
    }

    private void assertLetGo(QueryHandle handle) {
        assertThat(await(handle).report().capacity().disposition()).isEqualTo(CapacityDisposition.RELEASED);
        assertEmptied();
    }
}
