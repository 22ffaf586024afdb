package dev.weighlock.batch.jdbc.store;

import dev.weighlock.batch.BatchException;
import java.sql.SQLException;
import java.util.Optional;

/**
 * The database that stores run their statements in. Work that throws has changed nothing. What it means that a database
 * is away, locked or silent is its own matter: callers see {@link BatchException} with a typed error.
 *
 * <p>Thread-safe.
 */
public interface StoreDatabase {
    /** Statements on one connection. */
    @FunctionalInterface
    interface Work<T> {
        T run(Session session) throws SQLException;
    }

    /** Looks for what a write did whose answer was lost; empty when it did nothing. */
    @FunctionalInterface
    interface ReadBack<T> {
        Optional<T> find(Session session) throws SQLException;

        /** For a write that may simply be done again. */
        static <T> ReadBack<T> none() {
            return session -> Optional.empty();
        }
    }

    /** Runs {@code work}, which only reads, each statement for itself; perhaps again. */
    <T> T read(Work<T> work);

    /** Runs {@code work} in one transaction; perhaps again, when the first time came to nothing. */
    <T> T write(Work<T> work, ReadBack<T> committed);

    /** The same for work that is one statement, and reads at most to tell why it changed nothing. */
    <T> T writeOne(Work<T> work, ReadBack<T> committed);

    /** As {@link #write}, but never again: when it comes to nothing the caller decides. */
    <T> T writeOnce(Work<T> work, ReadBack<T> committed);
}
