package dev.weighlock.batch.run;

import dev.weighlock.batch.StepCounts;

/** The counts of one attempt, and the totals of all, as committed. For the thread that writes. */
final class ChunkAttempt {
    private static final StepCounts ROLLBACK = new StepCounts(0, 0, 0, 0, 0, 0, 0, 0, 1);

    private long sequence;
    private StepCounts totals;
    private StepCounts counts;

    /** @param uncounted committed by an earlier attempt and known only to the target: this attempt counts it */
    ChunkAttempt(ChunkPosition position, StepCounts uncounted) {
        this.sequence = position.sequence();
        this.totals = position.totals();
        this.counts = uncounted;
    }

    long sequence() {
        return sequence;
    }

    StepCounts totals() {
        return totals;
    }

    StepCounts counts() {
        return counts;
    }

    void committed(StepCounts chunk) {
        sequence++;
        totals = totals.plus(chunk);
        counts = counts.plus(chunk);
    }

    void rolledBack() {
        totals = totals.plus(ROLLBACK);
        counts = counts.plus(ROLLBACK);
    }
}
