package dev.weighlock.batch;

/**
 * How many executions of a job may be active at once, over all its instances and nodes. No part of the fingerprint.
 *
 * @param runs 1 to 10,000
 * @param otherwise what a launch does that finds no slot
 */
public record MaxConcurrent(int runs, Otherwise otherwise) {
    private static final int MOST = 10_000;

    /** What becomes of a launch beyond the limit. */
    public enum Otherwise {
        /** It is refused and told which executions run. */
        REFUSE,
        /** It waits for its turn. */
        QUEUE
    }

    /** @throws BatchException INVALID_DEFINITION */
    public MaxConcurrent {
        if (runs < 1 || runs > MOST) {
            throw new BatchException(
                    BatchError.INVALID_DEFINITION, "max_concurrent takes 1 to " + MOST + " runs, not " + runs);
        }
    }
}
