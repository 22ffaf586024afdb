package dev.weighlock.query.attempt;

import dev.weighlock.query.QueryException;

/** The right to end an attempt that no admission has claimed, with a structured error. Any thread; nothing to close. */
public final class AdmissionRejection {
    private final AttemptCore core;

    AdmissionRejection(AttemptCore core) {
        this.core = core;
    }

    /**
     * Ends and seals the attempt. Does nothing when an admission has claimed it: the claim finishes it. An effective
     * cancellation supersedes {@code error}.
     *
     * @throws AttemptLifecycleException {@code DOUBLE_TERMINALIZATION} when another outcome was committed first
     */
    public void reject(QueryException error) {
        var refusal = Refusal.of(error, core.cancellation());
        var claimed = core.inLock(lifecycle -> {
            if (!lifecycle.isClaimed()) {
                lifecycle.terminalizeRejection(refusal.outcome(), refusal.summary(), core.now());
            }
            return lifecycle.isClaimed();
        });
        if (!claimed) {
            core.finishCommitted(refusal.outcome());
        }
    }
}
