package dev.weighlock.query.attempt;

import dev.weighlock.query.observe.SealDelivery;
import dev.weighlock.query.report.Outcome;

/** The right to seal one attempt, for whoever cleaned up after it. Any thread; nothing to close. */
public final class ReportPublisher {
    private final AttemptCore core;

    ReportPublisher(AttemptCore core) {
        this.core = core;
    }

    public AttemptHandle attempt() {
        return new AttemptHandle(core);
    }

    /** Records that cleanup has begun, once. */
    public void beginCleanup() {
        core.observation().beginCleanup();
    }

    /**
     * Seals the attempt and publishes its report; sealing again changes nothing. Hold no lock: sinks run inside.
     *
     * @param fallback the outcome when nothing better is known
     * @return what tells the seal observers; run it before capacity is handed on
     * @throws AttemptLifecycleException {@code INVALID_ORDER} when the attempt is not finished; finish it and seal again
     */
    public SealDelivery seal(Outcome fallback) {
        return core.seal(fallback);
    }
}
