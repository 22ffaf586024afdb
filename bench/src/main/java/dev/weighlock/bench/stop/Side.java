package dev.weighlock.bench.stop;

/** Whose jobs are stopped. */
enum Side {
    WEIGHLOCK,
    SPRING_BATCH
}
