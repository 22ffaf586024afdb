package dev.weighlock.batch.operate;

/**
 * What a purge removed.
 *
 * @param kept instances of the plan that somebody ran or held meanwhile
 * @param requests launch requests that were over
 * @param detail the same as it is audited
 */
public record PurgeResult(long instances, long executions, long kept, long requests, String detail) {}
