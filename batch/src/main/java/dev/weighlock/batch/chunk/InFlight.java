package dev.weighlock.batch.chunk;

/** What becomes of the chunk that is under way when a stop arrives. */
public enum InFlight {
    /** Items already read are processed, written and committed. */
    FINISH_CHUNK,
    /** The chunk is rolled back and read again by a restart. */
    ROLLBACK_CHUNK
}
