package dev.weighlock.query.testing;

import dev.weighlock.query.MonotonicClock;
import dev.weighlock.query.attempt.AttemptAdmission;
import dev.weighlock.query.attempt.AttemptEnvironment;
import dev.weighlock.query.attempt.AttemptOwner;
import dev.weighlock.query.attempt.Attempts;
import dev.weighlock.query.attempt.BeginAttempt;
import dev.weighlock.query.attempt.TerminalCommit;
import dev.weighlock.query.lifecycle.BackendLifecycle;
import dev.weighlock.query.report.CapacityDisposition;
import dev.weighlock.query.report.Disposition;
import dev.weighlock.query.report.HealthTransition;
import dev.weighlock.query.report.Outcome;

/** Attempts of a backend without an engine. The thread's {@link LeakCheck} watches their permits and receivers. */
public final class TestAttempts {
    private TestAttempts() {}

    /** A gate of its own. */
    public static BackendLifecycle lifecycle(MonotonicClock clock) {
        BackendLifecycle lifecycle = new BackendLifecycle(clock);
        LeakCheck.onThread().watch(lifecycle.openHandles());
        return lifecycle;
    }

    /** The attempts of a new lifecycle on this clock. */
    public static Attempts on(MonotonicClock clock) {
        return new Attempts(AttemptEnvironment.of(lifecycle(clock), clock, "scripted"));
    }

    /** A begun attempt that is planned, so that an admission may claim it; the caller closes it. */
    public static AttemptOwner planned(Attempts attempts) {
        var owner = attempts.begin(BeginAttempt.standard()).owner();
        var handle = owner.handle();
        handle.recordPlanningStarted();
        handle.recordPlanningFinished();
        handle.recordDisposition(Disposition.NATIVE);
        return owner;
    }

    /** Does what a service does with an admitted attempt whose engine let everything go: finish, seal, deliver. */
    public static void release(AttemptAdmission admission) {
        var publisher = admission.reportPublisher();
        publisher.beginCleanup();
        var outcome = admission.terminalizeForRelease(Outcome.DROPPED);
        admission.finishAdmitted(TerminalCommit.of(CapacityDisposition.RELEASED, HealthTransition.HEALTHY_REUSE));
        publisher.seal(outcome).run();
    }
}
