package dev.weighlock.bench.stop;

/** Runs jobs in the process of its own that they are stopped in. */
interface Runner extends AutoCloseable {
    /** A new instance, until its end, which a stop brings. */
    void run(Work work, int partitions) throws Exception;

    @Override
    void close();
}
