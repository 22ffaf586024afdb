package dev.weighlock.batch.shutdown;

/** What an owned task is doing, for the account of those that could not be joined. */
public enum TaskPhase {
    TASKLET,
    CHUNK_READ_PROCESS,
    CHUNK_WRITE,
    TRANSACTION,
    RETRY_BACKOFF,
    FLOW_DECISION
}
