package dev.weighlock.query.backend;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * The platform threads that granted queries run on, one each. A thread whose query has ended waits a while for another: a
 * small query on a new thread takes twice the processor time, most of it in the engine's allocator. Thread-safe. The backend
 * closes it.
 */
final class QueryThreads implements AutoCloseable {
    private static final String IDLE = "weighlock-idle";
    private static final long IDLE_SECONDS = 10;

    private final ExecutorService threads;

    QueryThreads(ThreadFactory factory) {
        threads = new ThreadPoolExecutor(
                0, Integer.MAX_VALUE, IDLE_SECONDS, TimeUnit.SECONDS, new SynchronousQueue<>(), factory);
    }

    /** Runs it at once, on a thread of that name; throws what the factory throws where that needs a thread that cannot start. */
    void start(String name, Runnable work) {
        threads.execute(() -> named(name, work));
    }

    private static void named(String name, Runnable work) {
        var thread = Thread.currentThread();
        thread.setName(name);
        try {
            work.run();
        } finally {
            thread.setName(IDLE);
        }
    }

    /** Threads that still run end with their work. */
    @Override
    public void close() {
        threads.shutdown();
    }
}
