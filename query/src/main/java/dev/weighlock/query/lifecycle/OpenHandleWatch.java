package dev.weighlock.query.lifecycle;

import java.time.Duration;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks now and then for handles that have been open too long and names each of them once, in the log. One platform
 * daemon thread; whoever made the watch closes it.
 */
public final class OpenHandleWatch implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(OpenHandleWatch.class);

    private final OpenHandles handles;
    private final Duration limit;
    private final Consumer<OpenHandles.Handle> name;
    private final ScheduledThreadPoolExecutor timer;

    /** @param limit an age that only a forgotten handle reaches */
    public OpenHandleWatch(OpenHandles handles, Duration limit) {
        this(handles, limit, OpenHandleWatch::log);
    }

    /** @param name told of each such handle, on the watch's thread */
    public OpenHandleWatch(OpenHandles handles, Duration limit, Consumer<OpenHandles.Handle> name) {
        this.handles = handles;
        this.limit = limit;
        this.name = name;
        this.timer = new ScheduledThreadPoolExecutor(
                1, Thread.ofPlatform().daemon().name("weighlock-open-handles").factory());
        var period = Math.max(1, limit.toMillis() / 4);
        var _ = timer.scheduleWithFixedDelay(this::lookAndGoOn, period, period, TimeUnit.MILLISECONDS);
    }

    /** Warns of a handle that is open too long. */
    public static void log(OpenHandles.Handle handle) {
        LOG.warn("Still open, is it forgotten? {}", handle);
    }

    private void lookAndGoOn() {
        try {
            look();
        } catch (RuntimeException failure) {
            LOG.warn("Looking for forgotten handles failed; the next look comes in time", failure);
        }
    }

    /** Names what is newly too old or forgotten. */
    void look() {
        handles.newlyOlderThan(limit).forEach(name);
    }

    @Override
    public void close() {
        timer.shutdownNow();
    }
}
