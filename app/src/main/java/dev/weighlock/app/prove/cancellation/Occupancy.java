package dev.weighlock.app.prove.cancellation;

import java.util.concurrent.atomic.AtomicInteger;

/** How many bodies run in this process, by their own count. Thread-safe. */
final class Occupancy {
    private final AtomicInteger active = new AtomicInteger();
    private final AtomicInteger peak = new AtomicInteger();
    private final AtomicInteger admitted = new AtomicInteger();

    void enter() {
        admitted.incrementAndGet();
        int now = active.incrementAndGet();
        peak.accumulateAndGet(now, Math::max);
    }

    void leave() {
        active.decrementAndGet();
    }

    int active() {
        return active.get();
    }

    int peak() {
        return peak.get();
    }

    int admitted() {
        return admitted.get();
    }
}
