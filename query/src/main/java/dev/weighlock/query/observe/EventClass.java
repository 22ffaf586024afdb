package dev.weighlock.query.observe;

/** What an event is about; losses are counted by it. */
public enum EventClass {
    BOUNDARY,
    CLEANUP_FAILURE,
    SOURCE_READ,
    MEMORY_SAMPLE,
    PROGRESS
}
