package dev.weighlock.query.backend;

import dev.weighlock.query.engine.QueryEngine;
import dev.weighlock.query.lifecycle.OpenHandleWatch;
import dev.weighlock.query.lifecycle.OpenHandles;
import dev.weighlock.query.testing.LeakCheck;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/** Backends whose grants, permits, leases and receivers the thread's {@link LeakCheck} watches. The caller closes them. */
public final class TestBackends {
    private TestBackends() {}

    public static QueryBackend open(BackendSettings settings, QueryEngine engine) {
        return open(settings, engine, OpenHandleWatch::log);
    }

    static QueryBackend open(BackendSettings settings, QueryEngine engine, Consumer<OpenHandles.Handle> forgotten) {
        return watched(QueryBackend.open(settings, engine, forgotten));
    }

    static QueryBackend open(
            BackendSettings settings,
            QueryEngine engine,
            Consumer<OpenHandles.Handle> forgotten,
            ThreadFactory queryThreads) {
        return watched(QueryBackend.open(settings, engine, forgotten, queryThreads));
    }

    /** Waits until it is so; after five minutes the test fails. */
    static void await(BooleanSupplier condition) {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(300);
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() > end) {
                throw new AssertionError("it is not so after five minutes");
            }
            LockSupport.parkNanos(1_000_000);
        }
    }

    private static QueryBackend watched(QueryBackend backend) {
        LeakCheck.onThread().watch("backend", backend::openHandles);
        return backend;
    }
}
