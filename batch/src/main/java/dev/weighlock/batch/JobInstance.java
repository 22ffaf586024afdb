package dev.weighlock.batch;

/**
 * A job with one set of identifying parameters; unique by both.
 *
 * @param id given by the repository; nothing relies on the order of ids
 * @param identity SHA-256 of the canonical identifying parameters, 64 hexadecimal digits
 */
public record JobInstance(long id, JobName name, String identity) {}
