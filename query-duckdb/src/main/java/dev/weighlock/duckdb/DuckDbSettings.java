package dev.weighlock.duckdb;

import java.nio.file.Path;

/**
 * What all instances of one engine share.
 *
 * @param tempRoot an absolute folder of this engine kind's own; each process and each session gets a folder below
 * @param threads that one query may use; a constant of the device and no part of a grant
 * @param plannerBytes the planner's memory limit, charged to the reserve
 */
public record DuckDbSettings(Path tempRoot, int threads, long plannerBytes) {
    private static final long DEFAULT_PLANNER_BYTES = 64L << 20;

    public DuckDbSettings {
        if (!tempRoot.isAbsolute()) {
            throw new IllegalArgumentException("the temp root " + tempRoot + " is not absolute");
        }
        if (threads < 1) {
            throw new IllegalArgumentException("an engine needs a thread, not " + threads);
        }
    }

    /** As many threads as processors, and a planner of 64 MiB. */
    public static DuckDbSettings of(Path tempRoot) {
        return new DuckDbSettings(tempRoot, Runtime.getRuntime().availableProcessors(), DEFAULT_PLANNER_BYTES);
    }
}
