package dev.weighlock.duckdb;

import java.nio.file.Path;

/**
 * What all instances of one engine share.
 *
 * @param tempRoot an absolute folder of this engine kind's own; each process and each session gets a folder below
 * @param threads that one query may use; a constant of the device and no part of a grant
 * @param plannerBytes the planner's memory limit, charged to the reserve
 * @param warmInstances how many empty instances may wait for their next session, each charged to the reserve with
 *     {@link #WARM_INSTANCE_BYTES}
 */
public record DuckDbSettings(Path tempRoot, int threads, long plannerBytes, int warmInstances) {
    /** What an instance takes that has nothing to do. */
    public static final long WARM_INSTANCE_BYTES = 8L << 20;

    static final long DEFAULT_PLANNER_BYTES = 64L << 20;
    private static final int DEFAULT_WARM_INSTANCES = 8;

    public DuckDbSettings {
        if (!tempRoot.isAbsolute()) {
            throw new IllegalArgumentException("the temp root " + tempRoot + " is not absolute");
        }
        if (threads < 1) {
            throw new IllegalArgumentException("an engine needs a thread, not " + threads);
        }
        if (warmInstances < 0) {
            throw new IllegalArgumentException("negative warm instances: " + warmInstances);
        }
    }

    public DuckDbSettings(Path tempRoot, int threads, long plannerBytes) {
        this(tempRoot, threads, plannerBytes, DEFAULT_WARM_INSTANCES);
    }

    /** What the engine takes outside of all grants; the device's reserve has to hold it. */
    public long reserveBytes() {
        return plannerBytes + warmInstances * WARM_INSTANCE_BYTES;
    }

    /** With as many warm instances as a reserve has room for beside the planner. */
    public DuckDbSettings within(long reserveBytes) {
        var room = Math.max(0, (reserveBytes - plannerBytes) / WARM_INSTANCE_BYTES);
        return new DuckDbSettings(tempRoot, threads, plannerBytes, (int) Math.min(warmInstances, room));
    }

    /** As many threads as processors, a planner of 64 MiB and 8 warm instances. */
    public static DuckDbSettings of(Path tempRoot) {
        return new DuckDbSettings(tempRoot, Runtime.getRuntime().availableProcessors(), DEFAULT_PLANNER_BYTES);
    }
}
