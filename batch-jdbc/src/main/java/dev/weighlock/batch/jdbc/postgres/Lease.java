package dev.weighlock.batch.jdbc.postgres;

import java.time.Duration;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * How fresh this node's proof of life is, by the monotonic clock of the process: nobody's wall clock decides. After two
 * thirds of the lease the node is unfit, so that it has stopped before others may take it for dead.
 *
 * <p>Thread-safe: one writer, the heartbeat.
 */
final class Lease {
    private final Duration length;
    private final LongSupplier nanoClock;
    private volatile long renewedNanos;

    /** Begins with a renewal now. */
    Lease(Duration length, LongSupplier nanoClock) {
        this.length = length;
        this.nanoClock = nanoClock;
        this.renewedNanos = nanoClock.getAsLong();
    }

    /** @param sentNanos when the renewal was sent: the database counts from later on */
    void renewed(long sentNanos) {
        renewedNanos = sentNanos;
    }

    /** Why the node may own nothing; empty while it may. */
    Optional<String> lapse() {
        return lapse(Duration.ofNanos(nanoClock.getAsLong() - renewedNanos));
    }

    /** The same after so long without a renewal, as the database counts. */
    Optional<String> lapse(Duration since) {
        return since.compareTo(length.multipliedBy(2).dividedBy(3)) < 0
                ? Optional.empty()
                : Optional.of("this node did not renew its lease of " + text(length) + " for " + text(since));
    }

    private static String text(Duration duration) {
        long millis = duration.toMillis();
        return millis % 1000 == 0 ? millis / 1000 + " s" : millis + " ms";
    }
}
