package dev.weighlock.jobs.database;

import dev.weighlock.batch.jdbc.target.Database;

/** The databases that jobs name. Thread-safe. */
@FunctionalInterface
public interface Databases {
    /**
     * The database of a connection; its owner closes it.
     *
     * @throws dev.weighlock.jobs.StepFailure where there is no such connection
     */
    Database named(String connection);
}
