package dev.weighlock.bench.stop;

import java.time.Duration;

/** What the jobs that are stopped do. */
enum Work {
    /** Partitions whose bodies look for a stop all the time. */
    ATTENTIVE,
    /** Partitions whose bodies see no stop and run to their end. */
    BLOCKING,
    /** Partitions that each hold a transaction of their own open, and roll it back when a stop comes. */
    TRANSACTION,
    /** One chunk step, rows and checkpoint in one transaction, whose chunk in flight is finished. */
    CHUNKS;

    /** Of one partition. */
    static final Duration BODY = Duration.ofMillis(500);

    /** Between two beats of one body. */
    static final Duration SLICE = Duration.ofMillis(10);

    /** Items of a chunk; one takes a slice. */
    static final int CHUNK = 20;

    static final int WORKERS = 4;
}
