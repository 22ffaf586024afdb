package dev.weighlock.query.attempt;

import dev.weighlock.query.MonotonicClock;
import dev.weighlock.query.lifecycle.BackendLifecycle;
import java.time.InstantSource;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * What all attempts of one backend share.
 *
 * @param wall dates the reports, when there is one
 * @param engine the name of the backend's engine, for the reports
 * @param abandoned takes the reports that nobody received, when there is one
 * @param deadlines cancels attempts at their deadline; without it expiry is only seen by those who look
 * @param stages completes the stages that callers asked for
 */
public record AttemptEnvironment(
        BackendLifecycle lifecycle,
        MonotonicClock clock,
        @Nullable InstantSource wall,
        String engine,
        @Nullable AbandonedReports abandoned,
        @Nullable DeadlineWatch deadlines,
        Executor stages) {
    /** With the system's wall clock, and stages on virtual threads. */
    public static AttemptEnvironment of(BackendLifecycle lifecycle, MonotonicClock clock, String engine) {
        return new AttemptEnvironment(
                lifecycle, clock, InstantSource.system(), engine, null, null, Thread::startVirtualThread);
    }

    public AttemptEnvironment withWall(@Nullable InstantSource newWall) {
        return new AttemptEnvironment(lifecycle, clock, newWall, engine, abandoned, deadlines, stages);
    }

    public AttemptEnvironment withAbandoned(AbandonedReports queue) {
        return new AttemptEnvironment(lifecycle, clock, wall, engine, queue, deadlines, stages);
    }

    public AttemptEnvironment withDeadlines(DeadlineWatch watch) {
        return new AttemptEnvironment(lifecycle, clock, wall, engine, abandoned, watch, stages);
    }

    public AttemptEnvironment withStages(Executor executor) {
        return new AttemptEnvironment(lifecycle, clock, wall, engine, abandoned, deadlines, executor);
    }
}
