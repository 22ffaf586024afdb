package dev.weighlock.bench.postgres;

import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicLong;

/** One side of a comparison, on a database of its own. Every run is a new job instance, and fails loudly when it fails. */
public interface Contender extends AutoCloseable {
    /** A number that no other run of this JVM has. */
    AtomicLong INSTANCES = new AtomicLong();

    /** Partitions that fail once. */
    int LEFT = 3;

    /** Runs a job that does nothing so many times, one after the other; returns the seconds of each. */
    double[] jobs(int count) throws Exception;

    /** Writes so many numbered items into table {@code item}, rows and position in one transaction a chunk. */
    void items(long count, int chunk, boolean copying) throws Exception;

    /** Writes the records of a file into table {@code sale} in the same way. */
    void records(Path csv, int chunk) throws Exception;

    /** Runs partitions that each do nothing, or write one row of table {@code business}. */
    void partitions(int count, int workers, boolean writing) throws Exception;

    /**
     * Runs partitions of which the first {@link #LEFT} fail once, and runs the instance again: seconds of that until the
     * first of those left begins, and until the job's end.
     */
    double[] leftOver(int count) throws Exception;

    @Override
    void close();

    /** Opens a side on a database that has its tables. */
    @FunctionalInterface
    interface Opening {
        Contender open(Place place) throws Exception;
    }
}
