package dev.weighlock.query.device;

/** The mutations that move a ledger's sequence. */
public enum TransitionKind {
    ADMISSION_CLOSED,
    GRANT_ADMITTED,
    GRANT_FROZEN,
    GRANT_RELEASED,
    EVICTABLE_CHARGED,
    EVICTABLE_RELEASED,
    CACHE_PINNED,
    CACHE_UNPINNED,
    RESIDENT_OWNER_CHARGED,
    RESIDENT_OWNER_RELEASED
}
