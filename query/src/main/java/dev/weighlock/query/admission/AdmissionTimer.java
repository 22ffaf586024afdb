package dev.weighlock.query.admission;

import dev.weighlock.query.MonotonicClock;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The one thread that ends what is due: a platform daemon that sleeps until the next time something is, or until
 * something earlier comes up. It never looks around for work.
 */
final class AdmissionTimer {
    private static final Logger LOG = LoggerFactory.getLogger(AdmissionTimer.class);
    private static final long RETRY_NANOS = 1_000_000_000;

    private final MonotonicClock clock;
    private final LongSupplier expireDue;
    private final Thread thread;
    private volatile long sleepsUntilNanos = Long.MAX_VALUE;
    private volatile boolean stopped;
    private volatile long wakeUps;

    /**
     * @param expireDue ends what is due and returns when it has to run again, {@link Long#MAX_VALUE} for never; it sets
     *     the same time with {@link #sleepUntil} while it holds the mutex
     */
    AdmissionTimer(MonotonicClock clock, LongSupplier expireDue) {
        this.clock = clock;
        this.expireDue = expireDue;
        this.thread =
                Thread.ofPlatform().name("weighlock-admission-timer").daemon().unstarted(this::run);
    }

    void start() {
        thread.start();
    }

    void stop() {
        stopped = true;
        LockSupport.unpark(thread);
    }

    long wakeUps() {
        return wakeUps;
    }

    /** Only under the mutex, so that it never hides a time that came up meanwhile. */
    void sleepUntil(long nanos) {
        sleepsUntilNanos = nanos;
    }

    /** Only under the mutex: whether the thread sleeps beyond the time. */
    boolean isLate(long nanos) {
        return nanos < sleepsUntilNanos;
    }

    void wake() {
        LockSupport.unpark(thread);
    }

    @SuppressWarnings("NonAtomicVolatileUpdate") // one writer
    private void run() {
        while (!stopped) {
            long nanos = expireOrRetry();
            if (nanos == Long.MAX_VALUE) {
                LockSupport.park(this);
            } else if (nanos > 0) {
                LockSupport.parkNanos(this, nanos);
            }
            wakeUps++;
        }
    }

    /** How long to sleep. A fault ends this round only: without the thread no wait would end any more. */
    private long expireOrRetry() {
        try {
            long next = expireDue.getAsLong();
            return next == Long.MAX_VALUE ? next : next - clock.nanos();
        } catch (Throwable fault) {
            LOG.error("The admission service failed to end what is due; it tries again", fault);
            return RETRY_NANOS;
        }
    }
}
