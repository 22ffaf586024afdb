package dev.weighlock.query.testing;

import dev.weighlock.query.MonotonicClock;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

/** A clock that moves only when a test says so. Any thread. */
public final class ManualClock implements MonotonicClock {
    private final AtomicLong nanos;

    public ManualClock() {
        this(0);
    }

    public ManualClock(long startNanos) {
        nanos = new AtomicLong(startNanos);
    }

    @Override
    public long nanos() {
        return nanos.get();
    }

    public void advance(Duration step) {
        nanos.addAndGet(step.toNanos());
    }

    public void advanceNanos(long step) {
        nanos.addAndGet(step);
    }

    public void setNanos(long now) {
        nanos.set(now);
    }
}
