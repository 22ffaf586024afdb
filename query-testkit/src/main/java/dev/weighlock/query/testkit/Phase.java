package dev.weighlock.query.testkit;

/** Where a {@link GatedEngine} can hold the thread that calls it. */
enum Phase {
    PLANNING,
    OPENING,
    EXECUTING,
    FETCHING,
    RELEASING
}
