package dev.weighlock.batch.repository;

import java.time.Duration;

/**
 * How a repository is, for people who look after it.
 *
 * @param product what stores it, such as {@code SQLite}, with its {@code version}
 * @param push whether stop requests reach the owner at once, or the poll alone finds them
 * @param clockSkew how far this machine's clock is ahead of the repository's
 */
public record RepositoryHealth(String product, String version, int schemaVersion, Push push, Duration clockSkew) {
    /** @param how it works, or why it does not */
    public record Push(boolean on, String how) {}
}
