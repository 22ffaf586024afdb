package dev.weighlock.query.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weighlock.query.ErrorCode;
import dev.weighlock.query.backend.QuerySummary;
import dev.weighlock.query.engine.EngineSession;
import dev.weighlock.query.report.CancelReason;
import dev.weighlock.query.report.CapacityDisposition;
import dev.weighlock.query.report.OutcomeKind;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

/** A cancel is never lost, never blocks, and ends what runs. */
abstract class CancelCases extends PlanningCases {
    @Test
    void cancel_beforeExecute_isKept() {
        var session = session();
        session.cancel();
        var planned = plan(under.rows(1));
        assertCode(ErrorCode.CANCELLED, failure(() -> session.execute(planned)));
        releaseProved(session);
    }

    @Test
    void cancel_duringPlanning_opensNothing() throws Exception {
        var gate = gated.gate(Phase.PLANNING);
        var handle = submit(under.rows(1));
        gate.awaitReached();
        handle.cancel(CancelReason.CALLER);
        assertCancelled(await(handle));
        gate.open();
        gated.openAll();
        assertThat(submit(under.rows(1)).rows().toList()).hasSize(1);
        assertThat(gated.sessions()).isEqualTo(1);
        assertEmptied();
    }

    @Test
    void cancel_whileTheEngineWorks_returnsAtOnce() {
        var session = session();
        var planned = plan(under.endless());
        var execution = start(() -> failure(() -> session.execute(planned)));
        awaitWorking(session);
        within(start(() -> {
            session.cancel();
            return null;
        }));
        within(execution);
        releaseProved(session);
    }

    @Test
    void cancel_duringExecution_endsTheCall() {
        var session = session();
        var planned = plan(under.endless());
        var execution = start(() -> failure(() -> session.execute(planned)));
        awaitWorking(session);
        session.cancel();
        assertCode(ErrorCode.CANCELLED, within(execution));
        releaseProved(session);
    }

    @Test
    void cancel_duringFetch_endsTheStream() {
        var session = session();
        var stream = session.execute(plan(under.endlessRows()));
        assertThat(stream.fetch()).isPresent();
        session.cancel();
        assertCode(ErrorCode.CANCELLED, failure(() -> {
            for (var batch = stream.fetch(); batch.isPresent(); batch = stream.fetch()) {
                assertThat(stream.rows()).isPositive();
                requireTimeLeft();
            }
            return null;
        }));
        assertThat(stream.isComplete()).isFalse();
        stream.close();
        releaseProved(session);
    }

    @Test
    void cancel_atHandOver_neverRuns() throws Exception {
        var gate = gated.gate(Phase.OPENING);
        var handle = submit(under.endless());
        gate.awaitReached();
        handle.cancel(CancelReason.CALLER);
        gate.open();
        var summary = await(handle);
        assertCancelled(summary);
        assertThat(summary.report().capacity().disposition()).isEqualTo(CapacityDisposition.RELEASED);
        assertEmptied();
    }

    @Test
    void cancel_afterTheEnd_changesNothing() {
        var session = session();
        assertThat(run(session, under.rows(10))).isEqualTo(10);
        var usage = session.usage();
        session.cancel();
        assertThat(session.usage()).isEqualTo(usage).isPresent();
        releaseProved(session);
        var handle = submit(under.rows(10));
        assertThat(handle.rows().toList()).hasSize(10);
        handle.cancel(CancelReason.CALLER);
        assertThat(await(handle).outcome()).isIn(OutcomeKind.SUCCEEDED, OutcomeKind.CANCELLED);
        assertEmptied();
    }

    static void assertCancelled(QuerySummary summary) {
        assertThat(summary.outcome()).isEqualTo(OutcomeKind.CANCELLED);
    }

    /** Until the engine shows progress; one that cannot show any is given a moment. */
    private static void awaitWorking(EngineSession session) {
        for (var tries = 0; tries < 500 && session.progress().isEmpty(); tries++) {
            LockSupport.parkNanos(1_000_000);
        }
    }

    private void requireTimeLeft() {
        if (Thread.currentThread().isInterrupted()) {
            throw new AssertionError("the stream goes on");
        }
    }
}
