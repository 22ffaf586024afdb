package dev.weighlock.query.attempt;

import dev.weighlock.query.AttemptId;
import dev.weighlock.query.QueryException;
import dev.weighlock.query.observe.BoundaryKind;
import dev.weighlock.query.observe.EventPayload;
import dev.weighlock.query.observe.ObservationHandle;
import dev.weighlock.query.report.AttemptPhase;
import dev.weighlock.query.report.CleanupPhase;
import dev.weighlock.query.report.ComposedSchedule;
import dev.weighlock.query.report.Disposition;
import dev.weighlock.query.report.FailureSummary;
import dev.weighlock.query.report.Outcome;
import dev.weighlock.query.report.ResultFacts;
import java.util.Optional;

/**
 * The right to record what one attempt does, shared by everything that works for it. It can neither end nor seal the
 * attempt. Any thread; nothing to close.
 *
 * <p>A {@code record…} that cannot come now throws {@link AttemptLifecycleException} with {@code INVALID_ORDER} and
 * changes nothing.
 */
public final class AttemptHandle {
    private final AttemptCore core;

    AttemptHandle(AttemptCore core) {
        this.core = core;
    }

    public AttemptId attemptId() {
        return core.attemptId();
    }

    /** The attempt's one cancellation signal; the engine listens to the same object. */
    public Cancellation cancellation() {
        return core.cancellation();
    }

    /** Where the attempt's events are recorded. */
    public ObservationHandle observation() {
        return core.observation().handle();
    }

    public boolean isTerminal() {
        return core.inLock(lifecycle -> lifecycle.outcome() != null);
    }

    /** What the attempt is doing now. */
    public AttemptPhase phase() {
        return core.inLock(AttemptLifecycle::phase);
    }

    /** The outcome, once it is committed. */
    public Optional<Outcome> outcome() {
        return core.inLock(lifecycle -> Optional.ofNullable(lifecycle.outcome()));
    }

    /** Where the work was planned to run, once that is known. */
    public Optional<Disposition> disposition() {
        return core.inLock(lifecycle -> Optional.ofNullable(lifecycle.disposition()));
    }

    public void recordPlanningStarted() {
        core.cross(BoundaryKind.PLANNING_STARTED, AttemptLifecycle::planningStarted);
    }

    public void recordPlanningFinished() {
        core.cross(BoundaryKind.PLANNING_FINISHED, AttemptLifecycle::planningFinished);
    }

    /** Sets where the work runs; until the outcome is committed a later call refines it. */
    public void recordDisposition(Disposition disposition) {
        core.change(lifecycle -> lifecycle.disposition(disposition));
    }

    /** Keeps the engine's schedule, which must name this attempt and the device it was admitted to. */
    public void recordComposedSchedule(ComposedSchedule schedule) {
        core.change(lifecycle -> lifecycle.composedSchedule(schedule, core.attemptId()));
    }

    public void recordPhysicalExecutionStarted() {
        core.cross(BoundaryKind.PHYSICAL_EXECUTION_STARTED, AttemptLifecycle::physicalExecutionStarted);
    }

    public void recordDeviceExecutionStarted() {
        core.cross(BoundaryKind.DEVICE_EXECUTION_STARTED, AttemptLifecycle::deviceExecutionStarted);
    }

    /** The first rows are being handed over: failures from now on are reported under {@code FETCH}. */
    public void recordFetchStarted() {
        core.cross(BoundaryKind.FETCH_STARTED, (lifecycle, at) -> lifecycle.fetchStarted());
    }

    /**
     * What the reader has got so far; the last call before the end counts.
     *
     * @param complete whether the engine proved that these are all rows
     */
    public void recordResult(long rows, boolean complete) {
        core.change(lifecycle -> lifecycle.result(new ResultFacts(rows, complete)));
    }

    /**
     * Keeps the summary of an engine's failure, when it is the first. The exception itself stays with its thrower; should
     * cleanup end the attempt before the owner sees it, the attempt still ends with this failure.
     */
    public void recordNativeFailure(QueryException error) {
        core.change(lifecycle -> lifecycle.primaryFailure(FailureSummary.of(error, lifecycle.operation())));
    }

    /** Counts a failure of the attempt's cleanup; the count is exact whatever the timeline loses. */
    public void recordCleanupFailure(CleanupPhase phase, QueryException error) {
        core.change(lifecycle ->
                lifecycle.cleanupFailure(phase, FailureSummary.of(error, AttemptPhase.CLEANUP.operation())));
        core.observation().handle().record(new EventPayload.CleanupFailed(phase, error.code(), error.status()));
    }
}
